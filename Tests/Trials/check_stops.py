"""Stops builds by a signal in every stage, and while they wait for input. Each must end by that signal within a second,
and leave no file.

    check_stops.py COVEY [ROUNDS]
"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

covey, rounds = os.path.realpath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
STAGES = ["read", "cluster", "plan", "layout", "tiles", "leaves", "finish"]
POINTS = 400_000
worst = {}


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_stops: {message}")


def points(path, count):
    random.seed(5)
    with open(path, "w") as file:
        file.write("lon,lat,name\n")
        for i in range(count):
            lon, lat = random.gauss(10, 20) % 360 - 180, random.gauss(30, 20) % 160 - 80
            file.write(f"{lon:.5f},{lat:.5f},n{i}\n")


class Build:
    """A running build in a folder of its own."""

    def __init__(self, folder, *words, **streams):
        self.folder = folder / "out"
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "temporary").mkdir(parents=True)
        self.process = subprocess.Popen(
            [covey, "build", *map(str, words), "-o", str(self.folder / "out.mbtiles"),
             "--progress", "json", "--temp-dir", str(self.folder / "temporary")],
            stderr=subprocess.PIPE, **streams)

    def wait_for(self, stage):
        """Returns once the stage has begun; False if the build ended without it."""
        for line in self.process.stderr:
            if line.startswith(b"{") and json.loads(line).get("stage") == stage:
                return True
        return False

    def wait_until_begun(self):
        """Returns when the output file exists: from then on the program handles signals."""
        while self.process.poll() is None and not list(self.folder.glob(".out.mbtiles*")):
            time.sleep(0.01)

    def stop(self, name, *signals):
        """Sends the signals, and checks how the build ends."""
        start = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            time.sleep(0.03 if len(signals) > 1 else 0)
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            check(False, f"{name}: did not end in ten seconds")
        took = time.monotonic() - start
        self.process.stderr.close()
        worst[name] = max(worst.get(name, 0), took)
        limit = 1 if len(signals) == 1 else 0.4
        check(took < limit, f"{name}: took {took:.2f} s to end")
        left = [str(path) for path in self.folder.rglob("*") if path.is_file()]
        if code == 0:
            check(len(left) == 1, f"{name}: left {left}")
        else:
            check(code == 128 + signals[0], f"{name}: ended with {code}")
            check(not left, f"{name}: left {left}")
        return code


def try_stages(folder):
    source = folder / "points.csv"
    points(source, POINTS)
    stopped = 0
    for stage in STAGES:
        for round in range(rounds):
            build = Build(folder, source, "--max-zoom", 10)
            check(build.wait_for(stage), f"no stage {stage} was told of")
            time.sleep(random.random() * 0.1)
            number = [signal.SIGINT, signal.SIGTERM][round % 2]
            stopped += build.stop(stage, number) == 128 + number
        build = Build(folder, source, "--max-zoom", 10)
        check(build.wait_for(stage), f"no stage {stage} was told of")
        build.stop(f"{stage}, two signals", signal.SIGINT, signal.SIGINT)
    check(stopped > len(STAGES) * rounds / 2, f"only {stopped} builds were still there to stop")


def try_waiting(folder):
    def stop(name, *words, **streams):
        for number in [signal.SIGINT, signal.SIGTERM]:
            build = Build(folder, *words, **streams)
            build.wait_until_begun()
            time.sleep(0.1)
            check(build.stop(name, number) == 128 + number, f"{name}: was not stopped")

    ours, theirs = os.pipe()
    os.write(theirs, b"lon,lat\n1,2\n")
    stop("standard input", "-", stdin=ours)
    fifo = folder / "fifo.csv"
    os.mkfifo(fifo)
    stop("a fifo without a writer", fifo)
    writer = os.open(fifo, os.O_RDWR)
    os.write(writer, b"lon,lat\n1,2\n")
    stop("a fifo whose writer is silent", fifo)
    os.close(writer)
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []
        threading.Thread(
            target=lambda: [held.append(server.accept()) for _ in range(2)], daemon=True).start()
        stop("a URL", f"http://127.0.0.1:{server.getsockname()[1]}/points.csv")
    # A query that runs for hours before its first row.
    database = sqlite3.connect(folder / "slow.sqlite")
    database.execute("CREATE TABLE t (lon, lat)")
    database.executemany("INSERT INTO t VALUES (?, 1)", [(i,) for i in range(2_000)])
    database.execute(
        "CREATE VIEW points AS SELECT a.lon, a.lat FROM t a, t b, t c, t d "
        "WHERE a.lon + b.lon + c.lon + d.lon < 0")
    database.commit()
    database.close()
    stop("a database", folder / "slow.sqlite", "--table", "points", "--x", "lon", "--y", "lat")


folder = pathlib.Path(tempfile.mkdtemp(prefix="covey-stops-"))
try:
    try_waiting(folder)
    try_stages(folder)
finally:
    shutil.rmtree(folder)
slowest = max(worst, key=worst.get)
print(f"check_stops: all ended in time; the slowest was {slowest}, {worst[slowest]:.2f} s")
