"""Puts damaged archives before every verb of covey: none may end by a signal, take longer than five
seconds or more memory than 300 MB.

    damage_archives.py COVEY ARCHIVE FOLDER COUNT
"""

import os
import random
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

SECONDS, BYTES = 5.0, 300 << 20
PAGE = 4_096


def flip(data, lot):
    for _ in range(lot.choice([1, 4, 64])):
        data[lot.randrange(len(data))] = lot.randrange(256)


def overwrite(data, lot):
    start = lot.randrange(0, len(data), PAGE)
    length = lot.choice([16, 200, PAGE])
    data[start:start + length] = bytes(lot.choice([0, 0xFF, lot.randrange(256)])
                                       for _ in range(length))


def swap(data, lot):
    a, b = (lot.randrange(0, len(data) - PAGE, PAGE) for _ in range(2))
    data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]


def cut(data, lot):
    del data[lot.randrange(100, len(data)):]


def header(data, lot):
    data[lot.randrange(16, 100)] = lot.randrange(256)


# What a stranger may write with a sound database: claims instead of noise.
CLAIMS = [
    "UPDATE covey_clusters SET leaves = {huge}",
    "UPDATE covey_clusters SET leaves = {huge} WHERE rowid % 7 = {small}",
    "UPDATE covey_clusters SET key = -key WHERE rowid % 3 = 0",
    "UPDATE covey_clusters SET up = key",
    "UPDATE covey_clusters SET x = {huge}, y = -{huge}",
    "UPDATE covey_clusters SET x = 'text', leaves = x'00'",
    "UPDATE covey_leaf_blocks SET hull = zeroblob({large})",
    "UPDATE covey_leaf_blocks SET data = zeroblob({large})",
    "UPDATE covey_leaf_blocks SET block = block + {huge}",
    "DELETE FROM covey_leaf_blocks WHERE block % 2 = {small} % 2",
    "UPDATE tiles SET tile_data = (SELECT data FROM covey_leaf_blocks LIMIT 1)",
    "UPDATE tiles SET tile_data = 'text'",
    "UPDATE tiles SET zoom_level = zoom_level + {small}",
    "UPDATE metadata SET value = replace(value, '{small}', '{huge}')",
    "UPDATE metadata SET value = '' WHERE rowid % 3 = 0",
    "UPDATE metadata SET value = zeroblob({large})",
    "UPDATE metadata SET value = replace(hex(zeroblob({large})), '00', '[')",
    "ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL "
    "SELECT n + 1 FROM c) SELECT n % 9 AS zoom_level, n AS tile_column, n AS tile_row, "
    "zeroblob(10) AS tile_data FROM c",
    "ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, "
    "CAST(printf('%.*c', {large}, 'x') AS BLOB) AS tile_data FROM t",
    "ALTER TABLE covey_clusters RENAME TO c; CREATE VIEW covey_clusters AS SELECT a.* FROM c a, c b, "
    "c d",
]


def damage(source, target, lot):
    shutil.copy(source, target)
    if lot.random() < 0.4:
        claim = lot.choice(CLAIMS)
        sql = claim.format(huge=lot.choice([40_000_000, 2**31, 2**53, 2**62]),
                           small=lot.randrange(1, 10), large=lot.choice([1_000, 5_000_000]))
        database = sqlite3.connect(target)
        try:
            database.executescript(sql)
        except sqlite3.Error:
            pass
        database.close()
        return sql
    with open(target, "rb") as file:
        data = bytearray(file.read())
    kind = lot.choice([flip, flip, overwrite, swap, cut, header])
    kind(data, lot)
    with open(target, "wb") as file:
        file.write(data)
    return kind.__name__


def verbs(archive, whole, cluster):
    yield ["inspect", archive]
    yield ["inspect", archive, "0/0/0"]
    yield ["verify", archive]
    yield ["verify", "--deep", archive]
    yield ["style", archive]
    yield ["diff", whole, archive]
    for question in ["children", "leaves", "parent", "expansion-zoom", "hull", "bbox"]:
        yield ["clusters", archive, cluster, question]
    yield ["clusters", archive, "--containing", "10,30", "--zoom", "3"]


class Harm(Exception):
    pass


def finish(process, start, what):
    """Waits for a process, for so long, and says what it took."""
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - start > SECONDS:
            process.kill()
            os.wait4(process.pid, 0)
            raise Harm(f"{what}: more than {SECONDS:.0f} s")
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode < 0:
        raise Harm(f"{what}: {signal.Signals(-process.returncode).name}")
    if process.returncode not in (0, 1, 2):
        raise Harm(f"{what}: exit {process.returncode}")
    if usage.ru_maxrss * 1024 > BYTES:
        raise Harm(f"{what}: {usage.ru_maxrss >> 10} MB")


def serve(covey, archive, cluster):
    """Asks a server for everything, and stops it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = time.monotonic()
    process = subprocess.Popen([covey, "serve", f"a={archive}", "--port", str(port)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    paths = ["/health", "/a", "/a/0/0/0", "/a/3/4/2", "/a/style.json", "/catalog",
             f"/a/clusters/{cluster}/children?limit=1", f"/a/clusters/{cluster}/leaves?limit=5",
             f"/a/clusters/{cluster}/hull"]
    for path in paths:
        asked = time.monotonic()
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=SECONDS).read()
            except urllib.error.HTTPError:
                pass
            except (OSError, ValueError) as error:
                # It is not there yet; or it has refused to serve such a file.
                if process.poll() is None and time.monotonic() - asked < SECONDS \
                        and "timed out" not in str(error):
                    time.sleep(0.01)
                    continue
                if process.poll() is None:
                    process.kill()
                    raise Harm(f"serve {path}: no answer within {SECONDS:.0f} s") from None
            break
    if process.returncode is not None:
        if process.returncode < 0:
            raise Harm(f"serve: {signal.Signals(-process.returncode).name}")
        return
    process.terminate()
    finish(process, time.monotonic(), f"serve (after {time.monotonic() - start:.1f} s)")


def first_cluster(whole):
    database = sqlite3.connect(whole)
    base = database.execute(
        "SELECT json_extract(value, '$.idBase') FROM metadata WHERE name = 'covey'").fetchone()[0]
    key = database.execute("SELECT min(key) FROM covey_clusters").fetchone()[0]
    database.close()
    return str(base + key)


def main():
    covey, whole, folder, count = *sys.argv[1:4], int(sys.argv[4])
    cluster, harms, runs = first_cluster(whole), 0, 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    with tempfile.TemporaryDirectory(dir=folder) as work:
        archive = os.path.join(work, "damaged.mbtiles")
        for seed in range(count):
            kind = damage(whole, archive, random.Random(seed))
            questions = [*verbs(archive, whole, cluster), None]
            for words in questions:
                runs += 1
                try:
                    if words is None:
                        serve(covey, archive, cluster)
                        continue
                    start = time.monotonic()
                    process = subprocess.Popen([covey, *words], stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL)
                    finish(process, start, " ".join(words[:1] + words[2:]))
                except Harm as harm:
                    harms += 1
                    print(f"trials: damaged archive {seed} ({kind}): {harm}", file=sys.stderr)
            for name in os.listdir(work):
                os.remove(os.path.join(work, name))
    print(f"trials: {count} damaged archives, {runs} runs of all verbs: {harms} did harm")
    return 1 if harms else 0


if __name__ == "__main__":
    sys.exit(main())
