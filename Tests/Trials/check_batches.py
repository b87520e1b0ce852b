#!/usr/bin/env python3
"""check_batches.py COVEY [POINTS [BATCHES [CHANGES]]]: an archive that changes every second, while it is served.

Each second an update changes a batch of points of one town. Then a tenth as many updates change points anywhere. Prints
how long updates take, and the sizes of the job, the archive and the server's memory after the first and the last. At the
end the archive must be equal to a build of all points.
"""
import contextlib
import hashlib
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

covey = sys.argv[1]
points, batches, changes = [int(a) for a in sys.argv[2:5] + ["1000000", "300", "100"][len(sys.argv) - 2:]]
rng = random.Random(17)
TOWNS = [(rng.uniform(-170, 170), rng.uniform(-60, 70), rng.expovariate(3)) for _ in range(2000)]


def near(town):
    x, y, spread = town
    return max(-180, min(180, rng.gauss(x, spread))), max(-85, min(85, rng.gauss(y, spread / 2)))


def line(number):
    x, y, value = world[number]
    return f"{number},{x:.6f},{y:.6f},{value}\n"


def write(path, numbers):
    with open(path, "w") as file:
        file.write("ref,lon,lat,value\n")
        file.writelines(map(line, numbers))


def size(path):
    """The size of a file or a folder, after a background process has removed old files."""
    def now():
        files = [f.lstat() for f in path.rglob("*") if f.is_file()] if path.is_dir() else [path.stat()]
        return sum({f.st_ino: f.st_size for f in files}.values())
    last, left = now(), 10
    while left:
        time.sleep(0.5)
        last, left = now(), 0 if now() == last else left - 1
    return last


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


def contents(path):
    """A checksum of the sorted rows of each table and view: updates in place change the order of rows and the keys of
    payloads."""
    sums = {}
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as archive:
        for table, in archive.execute(
                "SELECT name FROM sqlite_master WHERE type <> 'index' AND name NOT IN ('covey_payloads', 'covey_numbers')").fetchall():
            columns = len(archive.execute(f"SELECT * FROM {table} LIMIT 1").description)
            sums[table] = hashlib.sha256()
            for row in archive.execute(f"SELECT * FROM {table} ORDER BY {', '.join(map(str, range(1, columns + 1)))}"):
                sums[table].update(repr(row).encode())
    return {table: sum.hexdigest() for table, sum in sums.items()}


work = tempfile.TemporaryDirectory(prefix="covey-batches-")
folder = pathlib.Path(work.name)
archive, job, change = folder / "points.mbtiles", folder / "job", folder / "change.csv"
world = [(*near(rng.choice(TOWNS)), rng.randrange(1000)) for _ in range(points)]
write(folder / "points.csv", range(points))
options = ["--max-zoom", "14", "--aggregate", "total=sum:value", "--quiet"]
start = time.monotonic()
subprocess.run([covey, "build", folder / "points.csv", "-o", archive, "--job", job, "--keep-points", *options], check=True)
print(f"{points:,} points, built in {time.monotonic() - start:.1f} s", flush=True)

server = subprocess.Popen([covey, "serve", archive, "--port", "0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
address = ""
while "http://" not in address:
    address = server.stderr.readline()
address = address[address.index("http://"):].split()[0].rstrip("/")


def served():
    """Requests the root tile from the server. Returns its size."""
    with urllib.request.urlopen(f"{address}/points/0/0/0.mvt", timeout=10) as answer:
        return len(answer.read())


def run(where, pick, batches, pace):
    times, late = [], 0
    before = (size(job), size(archive), resident(server))
    begin = time.monotonic()
    for batch in range(batches):
        numbers = pick()
        for number in numbers:
            x, y, _ = world[number]
            world[number] = (max(-180, min(180, x + rng.gauss(0, 0.01))), max(-85, min(85, y + rng.gauss(0, 0.01))), rng.randrange(1000))
        write(change, numbers)
        start = time.monotonic()
        subprocess.run([covey, "update", archive, change, "--key", "ref", "--job", job, "--quiet"], check=True)
        times.append(time.monotonic() - start)
        if not served():
            sys.exit("batches: the server has no tile")
        rest = begin + pace * (batch + 1) - time.monotonic()
        late += rest < 0
        time.sleep(max(0, rest) if pace else 0)
    after = (size(job), size(archive), resident(server))
    took = time.monotonic() - begin
    tenth = max(1, batches // 10)
    print(
        f"{where}: {batches} batches of {changes} in {took:.0f} s" + (f", {late} of them late" if pace else "") + f"; an update takes "
        f"{statistics.median(times):.2f} s (the first tenth {statistics.median(times[:tenth]):.2f}, the last "
        f"{statistics.median(times[-tenth:]):.2f}, at most {max(times):.2f}); job {before[0] >> 20} to {after[0] >> 20} MB, "
        f"archive {before[1] >> 20} to {after[1] >> 20} MB, server {before[2]} to {after[2]} MB", flush=True)


try:
    town = max(range(len(TOWNS)), key=lambda t: 1 / TOWNS[t][2] if TOWNS[t][2] > 0.05 else 0)
    x, y, _ = TOWNS[town]
    local = [n for n in range(points) if abs(world[n][0] - x) < 1 and abs(world[n][1] - y) < 0.5]
    run("one town", lambda: rng.sample(local, min(changes, len(local))), batches, 1)
    run("anywhere", lambda: rng.sample(range(points), changes), max(1, batches // 10), 0)
    write(folder / "points.csv", range(points))
    (folder / "new").mkdir()
    subprocess.run([covey, "build", folder / "points.csv", "-o", folder / "new" / "points.mbtiles", "--job", folder / "other", "--keep-points", *options], check=True)
    old, new = contents(archive), contents(folder / "new" / "points.mbtiles")
    differing = [name for name in old.keys() | new.keys() if old.get(name) != new.get(name)]
    if differing:
        sys.exit(f"batches: the archive is not the one that a build gives: {differing}")
    print("the archive is the one that a build gives")
finally:
    server.terminate()
    server.wait()
