"""Runs well and badly behaved clients for minutes, while archives are added, changed and removed.

    soak.py COVEY ARCHIVE SECONDS

A valid request for the archive that stays must get the status 200, memory must stay bounded, and the server must end
cleanly. For builds with sanitizers (scripts/soak).
"""

import json
import os
import random
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time

from server import Server

covey, archive, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
folder = tempfile.mkdtemp(prefix="covey-soak-")
shutil.copy(archive, f"{folder}/steady.mbtiles")
end = time.monotonic() + seconds
counts = {"honest": 0, "reloads": 0, "rude": 0}
problems = []


def cluster_paths(server):
    """Requests about a cluster of the archive that stays. Its replacements have the same clusters."""
    leaf = json.loads(server.get("/steady/leaves?bbox=-180,-85,180,85&limit=1")[2])["features"][0]
    place = "lon={}&lat={}".format(*leaf["geometry"]["coordinates"])
    node = json.loads(server.get(f"/steady/clusters/containing?{place}&zoom=0")[2])
    cluster = f"/steady/clusters/{node['properties']['cluster_id']}"
    return [f"/steady/clusters/containing?{place}&zoom=3"] + [
        cluster + question for question in
        ["", "/children", "/leaves?offset=5", "/hull", "/bbox", "/parent", "/expansion-zoom"]]


def honest(server, seed):
    chance = random.Random(seed)
    paths = ["/steady", "/catalog", "/steady/style.json", "/health", "/metrics", "/",
             "/steady/leaves?bbox=-180,-85,180,85&limit=50", *cluster_paths(server)]
    while time.monotonic() < end and not problems:
        zoom = chance.randrange(4)
        tile = f"/steady/{zoom}/{chance.randrange(2 ** zoom)}/{chance.randrange(2 ** zoom)}"
        path = chance.choice(paths) if chance.random() < 0.2 else tile
        encoding = chance.choice(["gzip", "identity"])
        try:
            status, _, _ = server.get(path, Accept_Encoding=encoding)
        except OSError as error:
            problems.append(f"{path}: {error}")
            return
        if status not in (200, 204):
            problems.append(f"{path} gives {status}")
        # The other archives may be missing, but a request for them must end with an answer.
        try:
            status, _, _ = server.get(f"/shaky/{zoom}/0/0", Accept_Encoding=encoding)
        except OSError as error:
            problems.append(f"shaky: {error}")
            return
        if status not in (200, 204, 404, 500, 503):
            problems.append(f"shaky gives {status}")
        counts["honest"] += 2


def rude(server, seed):
    """Aborted, half-open, slow and invalid requests."""
    chance = random.Random(seed)
    held = []
    while time.monotonic() < end and not problems:
        client = socket.create_connection(("127.0.0.1", server.port))
        client.settimeout(5)
        try:
            what = chance.randrange(6)
            if what == 0:
                client.send(b"GET /steady/0/0/0 HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
            elif what == 1:
                client.send(os.urandom(300))
            elif what == 2:
                client.send(b"GET /" + b"a" * chance.randrange(40_000))
            elif what == 3:
                client.send(b"GET /steady HTTP/1.1\r\nHo")
                held.append(client)
                continue
            elif what == 4:
                client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nabc")
            if chance.random() < 0.5:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        except OSError:
            pass
        if len(held) > 50:
            held.pop(0).close()
        counts["rude"] += 1
        time.sleep(0.002)


def reload(server):
    """Replaces, cuts, overwrites and removes one archive; and replaces the archive that stays by an
    equal one."""
    chance = random.Random(7)
    shaky, steady = f"{folder}/shaky.mbtiles", f"{folder}/steady.mbtiles"
    whole = open(archive, "rb").read()
    while time.monotonic() < end and not problems:
        what = chance.randrange(5)
        if what == 0:
            shutil.copy(archive, shaky + ".new")
            os.rename(shaky + ".new", shaky)
        elif what == 1 and os.path.exists(shaky):
            os.truncate(shaky, chance.randrange(len(whole)))
        elif what == 2:
            with open(shaky, "wb") as file:
                file.write(whole[:100] + os.urandom(len(whole) // 2))
        elif what == 3 and os.path.exists(shaky):
            os.remove(shaky)
        else:
            shutil.copy(archive, steady + ".new")
            os.rename(steady + ".new", steady)
        if chance.random() < 0.5:
            os.kill(server.process.pid, signal.SIGHUP)
        counts["reloads"] += 1
        time.sleep(0.3)


with Server(covey, "--timeout", "3", folder) as server:
    threads = [threading.Thread(target=honest, args=(server, n)) for n in range(4)]
    threads += [threading.Thread(target=rude, args=(server, 100 + n)) for n in range(2)]
    threads.append(threading.Thread(target=reload, args=(server,)))
    for thread in threads:
        thread.start()
    time.sleep(seconds / 3)
    early = server.memory()
    for thread in threads:
        thread.join()
    late = server.memory()
    code = server.stop()
shutil.rmtree(folder)
print(f"soak: {counts}, memory {early:.0f} MB early, {late:.0f} MB late, exit code {code}")
if any("Sanitizer" in line for line in server.messages):
    raise SystemExit("soak: the sanitizer has found something")
if problems or code != 0 or counts["honest"] == 0:
    raise SystemExit("soak: " + "; ".join(problems[:5] or ["it did not end well"]))
if late > 2 * early + 50:
    raise SystemExit("soak: memory grows")
