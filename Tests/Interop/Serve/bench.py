"""Compares `covey serve` with nginx: the same random tiles from an archive and as files.

    bench.py COVEY ARCHIVE [SECONDS]

nginx has the tiles as .gz files (gzip_static). Both listen on the loopback interface, with one worker
per core. wrk requests the same tiles from both in turn, and the medians of the rounds are printed.
"""

import http.client
import json
import os
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from archive_clusters import ClusterIndex
from server import Server

covey, archive = sys.argv[1:3]
seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
name = os.path.basename(archive).removesuffix(".mbtiles")
for program in ["wrk", "nginx"]:
    if not shutil.which(program):
        raise SystemExit(f"bench: no {program} on this machine; apt-get install {program}")
work = tempfile.mkdtemp(prefix="covey-bench-")
os.chmod(work, 0o755)


def place_tiles(count=20_000):
    """Writes random tiles to files. Returns their paths."""
    rows = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
    ids = rows.execute("SELECT rowid FROM tiles ORDER BY rowid").fetchall()
    paths = []
    for (row,) in random.Random(1).sample(ids, min(count, len(ids))):
        z, x, y, data = rows.execute("SELECT * FROM tiles WHERE rowid = ?", (row,)).fetchone()
        path = f"/{name}/{z}/{x}/{2 ** z - 1 - y}.pbf"
        os.makedirs(os.path.dirname(work + path), exist_ok=True)
        with open(f"{work}{path}.gz", "wb") as file:
            file.write(data)
        paths.append(path)
    return paths


def start_nginx(port):
    with open(f"{work}/nginx.conf", "w") as file:
        file.write(f"""
            daemon off; pid {work}/nginx.pid; error_log {work}/error.log;
            worker_processes {os.cpu_count()}; worker_rlimit_nofile 8192;
            events {{ worker_connections 4096; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
                client_body_temp_path {work}/b; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f;
                uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
                types {{ application/x-protobuf pbf; }}
                server {{ listen 127.0.0.1:{port}; root {work}; gzip_static always; }}
            }}""")
    return subprocess.Popen(["nginx", "-e", f"{work}/error.log", "-c", f"{work}/nginx.conf"])


def ask(base, connections, duration):
    """Requests a second, p99 in ms, requests, and how many were not 2xx."""
    text = subprocess.run(
        ["wrk", "-t", "1", "-c", str(connections), "-d", f"{duration}s", "--latency", "--timeout",
         "10s", "-s", f"{work}/ask.lua", base],
        capture_output=True, text=True, check=True).stdout
    amount, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    latency = float(amount) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    total = int(re.search(r"(\d+) requests in", text).group(1))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)), latency, total, int(bad[1]) if bad else 0


def cold_start(path):
    start = time.monotonic()
    with Server(covey, archive) as server:
        status, _, _ = server.get(path, Accept_Encoding="gzip")
        taken = (time.monotonic() - start) * 1e3
    if status != 200:
        raise SystemExit(f"bench: {path} gives {status}")
    return taken


def leaves(server):
    """The largest and the median time for a page of the largest cluster, at random offsets."""
    rows = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
    index = ClusterIndex.of(rows)
    largest = max(((one.id, one.count) for one in index.large or index.clusters), key=lambda one: one[1])
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    times = []
    for offset in random.Random(2).sample(range(largest[1]), min(200, largest[1])):
        start = time.monotonic()
        connection.request("GET", f"/{name}/clusters/{largest[0]}/leaves?limit=10&offset={offset}")
        answer = connection.getresponse()
        answer.read()
        times.append((time.monotonic() - start) * 1e3)
    times.sort()
    return largest[1], statistics.median(times), times[int(len(times) * 0.99)]


paths = place_tiles()
with open(f"{work}/ask.lua", "w") as file:
    file.write("local paths = {\n" + ",\n".join(json.dumps(path) for path in paths) + "}\n")
    file.write('wrk.headers["Accept-Encoding"] = "gzip"\nmath.randomseed(1)\n'
               "function request() return wrk.format(nil, paths[math.random(#paths)]) end\n")
nginx_port = random.randrange(20_000, 30_000)
nginx = start_nginx(nginx_port)
try:
    with Server(covey, "--max-connections", "2000", "--max-connections-per-ip", "2000", archive) as server:
        sides = {"covey": server.base, "nginx": f"http://127.0.0.1:{nginx_port}"}
        time.sleep(0.5)
        figures = {side: [] for side in sides}
        served = 0
        for round_number in range(6):
            for side, base in sides.items():
                rate, latency, total, bad = ask(base, 32, seconds)
                if bad:
                    raise SystemExit(f"bench: {side} failed {bad} requests")
                # The first round warms up both servers.
                if round_number > 0:
                    figures[side].append((rate, latency))
                served += total if side == "covey" else 0
        rate = {side: statistics.median(r for r, _ in figures[side]) for side in sides}
        p99 = {side: statistics.median(p for _, p in figures[side]) for side in sides}
        print(f"tiles a second      covey {rate['covey']:9.0f}   nginx {rate['nginx']:9.0f}   ratio {rate['covey'] / rate['nginx']:.2f} (asked: 0.9)")
        print(f"p99, 32 clients, ms covey {p99['covey']:9.2f}   nginx {p99['nginx']:9.2f}   ratio {p99['covey'] / p99['nginx']:.2f} (asked: 1.5)")
        many = {side: ask(base, 1000, seconds) for side, base in sides.items()}
        served += many["covey"][2]
        print(f"p99, 1,000 clients  covey {many['covey'][1]:9.2f}   nginx {many['nginx'][1]:9.2f}   failed {many['covey'][3]}")
        early = server.memory()
        while served < 1_000_000:
            served += ask(sides["covey"], 32, 3 * seconds)[2]
        print(f"memory, MB          {early:.0f}, and {server.memory():.0f} after {served:,} requests (asked: 50 and no growth)")
        if sqlite3.connect(archive).execute(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'covey_blocks'").fetchone()[0]:
            size, usual, slowest = leaves(server)
            print(f"leaves of {size:,} points, ms: median {usual:.2f}, p99 {slowest:.2f} (asked: 5)")
    starts = sorted(cold_start(paths[0]) for _ in range(7))
    print(f"cold start to first tile, ms: median {starts[3]:.0f}, slowest {starts[-1]:.0f} (asked: 100)")
finally:
    nginx.terminate()
    nginx.wait()
    shutil.rmtree(work)
