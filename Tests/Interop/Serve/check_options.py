"""Tests the options of `covey serve` with a client, and its signals: check_options.py COVEY ARCHIVE"""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from server import Server

covey, archive = sys.argv[1:]
name = os.path.basename(archive).removesuffix(".mbtiles")
tile, missing = f"/{name}/0/0/0", f"/{name}/3/0/0"


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_options: {message}")


def address(server, path=f"/{name}", **headers):
    return json.loads(server.get(path, **headers)[2])["tiles"][0]


def check_addresses():
    forwarded = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "b.example", "X_Forwarded_Prefix": "/p"}
    with Server(covey, "--public-url", "https://a.example/base", archive) as server:
        for path in [f"/{name}", f"/base/{name}"]:
            found = address(server, path, **forwarded)
            check(found == f"https://a.example/base/{name}/{{z}}/{{x}}/{{y}}", f"--public-url gives {found}")
        # The second answer is from the cache in memory.
        for _ in range(2):
            check(server.get(f"/base{tile}", Accept_Encoding="gzip")[0] == 200, "no tile below the base")
    with Server(covey, archive) as server:
        found = address(server, **forwarded)
        check(found.startswith(server.base + "/"), f"a stranger is believed: {found}")
    with Server(covey, "--trusted-proxy", "127.0.0.0/8", archive) as server:
        found = address(server, **forwarded)
        check(found.startswith(f"https://b.example/p/{name}/"), f"a trusted proxy gives {found}")


def check_headers():
    def allowed(server, origin):
        answers = [server.get(tile, Origin=origin, Accept_Encoding="gzip")[1] for _ in range(2)]
        found = {one.get("access-control-allow-origin") for one in answers}
        check(len(found) == 1, f"two answers to one question: {found}")
        return found.pop()
    with Server(covey, "--cors", "https://a.example", "--cache-control", "no-store", archive) as server:
        check(allowed(server, "https://a.example") == "https://a.example", "an origin is not let in")
        check(allowed(server, "https://b.example") is None, "a stranger is let in")
        head = server.get(tile, Accept_Encoding="gzip")[1]
        check(head["cache-control"] == "no-store" and "Origin" in head["vary"], f"the head is {head}")
    with Server(covey, "--cors", "none", archive) as server:
        check(allowed(server, "https://a.example") is None, "--cors none lets in")
    with Server(covey, archive) as server:
        check(allowed(server, "https://a.example") == "*", "not every origin is allowed")


def check_missing():
    for arguments, status in [([], 204), (["--missing", "404"], 404), (["--missing", "empty"], 200)]:
        with Server(covey, *arguments, archive) as server:
            answer = server.get(missing)
            check(answer[0] == status, f"{arguments}: a missing tile gives {answer[0]}")
            check(status == 404 or not answer[2], f"{arguments}: a missing tile has {answer[2]}")


def check_limits():
    def held(server):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        client.recv(4096)
        return client
    for option in ["--max-connections", "--max-connections-per-ip"]:
        with Server(covey, option, "2", archive) as server:
            clients = [held(server) for _ in range(2)]
            answer = server.get(tile)
            check(answer[0] == 503 and "retry-after" in answer[1], f"{option}: {answer[:2]}")
            check(server.get("/health")[0] == 200, f"{option} refuses the health check")
            check(b'"error"' in answer[2], f"{option} gives no reason")
            for client in clients:
                client.close()
            server.wait_until(lambda: server.get(tile)[0] == 200)
    with Server(covey, "--timeout", "1", archive) as server:
        slow = socket.create_connection(("127.0.0.1", server.port))
        slow.sendall(b"GET / HTTP/1.1\r\nHo")
        slow.settimeout(15)
        start = time.monotonic()
        # The connection ends, with or without an answer.
        while slow.recv(4096):
            pass
        check(time.monotonic() - start < 10, "a slow client is not cut off")


def check_many():
    """2,500 connections of one address stay open, with and without a request, while another client sends requests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with Server(covey, archive) as server:
        clients, refused = [], 0
        for number in range(2500):
            client = socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.9", 0))
            if number % 2:
                client.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            clients.append(client)
        times = []
        for _ in range(20):
            start = time.monotonic()
            answer = server.get("/health")
            times.append((time.monotonic() - start) * 1000)
            check(answer[0] == 200, f"the health check gets {answer[0]} beside 2,500 connections")
        # One request may be slow because of other work of this machine.
        slowest = sorted(times)[-2]
        check(slowest < 100, f"the health check takes {slowest:.0f} ms beside 2,500 connections")
        for client in clients:
            client.setblocking(False)
            try:
                refused += b" 503 " in client.recv(4096)
            except BlockingIOError:
                pass
        check(refused >= 1000, f"only {refused} of 1,250 silent connections heard 503")
        for client in clients:
            client.close()
    print(f"check_options: beside 2,500 connections a health check takes {slowest:.1f} ms")


def check_end():
    """A client that does not read its answer delays the end; after a second signal the server does not wait."""
    def stuck(server):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.settimeout(1)
        request = f"GET {tile} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 100
        try:
            while True:
                client.sendall(request)
        except TimeoutError:
            return client
    for signals, least, most, code in [(1, 5, 15, 0), (2, 0, 5, 143)]:
        with Server(covey, archive) as server:
            client = stuck(server)
            start = time.monotonic()
            for _ in range(signals):
                os.kill(server.process.pid, signal.SIGTERM)
                time.sleep(0.5)
            ended = server.process.wait(20)
            seconds = time.monotonic() - start
            check(ended == code and least <= seconds <= most, f"{signals} signals: {ended} after {seconds:.1f} s")
            client.close()


def check_log():
    with tempfile.TemporaryFile("w+") as output:
        with Server(covey, "--access-log", archive, output=output) as server:
            for _ in range(2):
                size = len(server.get(tile, Accept_Encoding="gzip")[2])
            server.get("/nothing?a=1")
        output.seek(0)
        lines = [json.loads(line) for line in output]
    facts = [(one["path"], one["status"], one["client"]) for one in lines]
    check(facts == [(tile, 200, "127.0.0.1")] * 2 + [("/nothing?a=1", 404, "127.0.0.1")], f"the log has {facts}")
    check(lines[0]["bytes"] == size and lines[0]["encoding"] == "gzip" and lines[0]["ms"] >= 0, f"{lines[0]}")


def check_signals():
    folder = tempfile.mkdtemp(prefix="covey-options-")
    os.mkdir(f"{folder}/sub")
    shutil.copy(archive, f"{folder}/one.mbtiles")
    with Server(covey, folder) as server:
        def ids():
            return [one["id"] for one in json.loads(server.get("/catalog")[2])["archives"]]
        check(ids() == ["one"], f"a folder gives {ids()}")
        shutil.copy(archive, f"{folder}/sub/two.mbtiles")
        os.kill(server.process.pid, signal.SIGHUP)
        server.wait_until(lambda: ids() == ["one", "sub~two"])
        check(server.get("/sub~two/0/0/0")[0] == 200, "what was added is not served")
        os.remove(f"{folder}/one.mbtiles")
        server.wait_until(lambda: server.get("/one/0/0/0", Accept_Encoding="gzip")[0] == 404)
        code = server.stop(signal.SIGINT)
        check(code == 130, f"SIGINT ends it with {code}")
    shutil.rmtree(folder)


def check_usage():
    for arguments in [["--port", "99999", archive], ["--threads", "0", archive], ["--missing", "x", archive],
                      ["--cors", "*", "--cors", "https://a.example", archive], ["--trusted-proxy", "x", archive], []]:
        ended = subprocess.run([covey, "serve", *arguments], capture_output=True, text=True, timeout=20)
        check(ended.returncode == 2 and ended.stderr, f"{arguments} ends with {ended.returncode}")


checks = [check_addresses, check_headers, check_missing, check_limits, check_many, check_end, check_log, check_signals, check_usage]
for one in checks:
    one()
print(f"check_options: all is well in {len(checks)} respects")
