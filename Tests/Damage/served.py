"""Replaces, cuts and damages archives while a server is serving them, and sends requests at the same time. The worker
process must not end, must answer soon, and must not use much memory. Called by scripts/damaged.
"""

import argparse
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from claims import claim_in_mbtiles, damage_pmtiles
from damage import first_cluster
from hostile import make_hostile


class Asker(threading.Thread):
    """Sends requests to a server, and keeps the slowest one."""

    def __init__(self, port, names, cluster, seed):
        super().__init__(daemon=True)
        self.port, self.names, self.cluster = port, names, cluster
        self.random, self.slowest, self.answers = random.Random(seed), (0, ""), 0
        self.lost, self.is_done = [], False

    def run(self):
        while not self.is_done:
            name = self.random.choice(self.names)
            z = self.random.randrange(6)
            path = self.random.choice(
                [f"/{name}/{z}/{self.random.randrange(2**z)}/{self.random.randrange(2**z)}"] * 4 + [
                    f"/{name}", f"/{name}/style.json", "/catalog", "/health",
                    f"/{name}/clusters/{self.cluster}/leaves", f"/{name}/clusters/{self.cluster}/hull",
                    f"/{name}/clusters/{self.cluster}/children",
                    f"/{name}/clusters/containing?lon=10&lat=10&zoom=2",
                    f"/{name}/leaves?bbox=-180,-85,180,85&limit=2", f"/{name}/files/{name}.pmtiles"])
            start = time.monotonic()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                    answer.read()
            except urllib.error.HTTPError:
                pass
            except (OSError, ValueError) as error:
                self.lost.append(f"{path}: {error}")
            took = time.monotonic() - start
            self.answers += 1
            if took > self.slowest[0]:
                self.slowest = (took, path)


def change(source, folder, sound):
    """Changes one of the served archives, and returns a description."""
    name = source.choice(sorted(sound))
    path = folder / name
    kind = source.choice(["replace", "cut", "cut", "cut and fill", "damage", "damage", "noise", "gone", "grow"])
    if not path.exists() or kind == "replace":
        fresh = folder / f".{name}.new"
        shutil.copy(sound[name], fresh)
        os.replace(fresh, path)
        return f"{name} replaced"
    if kind in ("cut", "cut and fill"):
        size = path.stat().st_size
        os.truncate(path, source.choice([0, 1, 100, 4_096, source.randrange(size + 1), max(size - 1, 0)]))
        if kind == "cut and fill":
            os.truncate(path, size)
    elif kind == "damage":
        fresh = folder / f".{name}"
        shutil.copy(sound[name], fresh)
        if name.endswith(".mbtiles"):
            source.choice([claim_in_mbtiles, make_hostile])(source, fresh)
        elif ".clusters" not in name:
            damage_pmtiles(source, str(fresh))
        # The damage may have removed the file.
        os.replace(fresh, path) if fresh.exists() else path.unlink()
    elif kind == "noise":
        with open(path, "r+b") as file:
            for _ in range(40):
                file.seek(source.randrange(max(path.stat().st_size, 1)))
                file.write(bytes([source.randrange(256)]))
    elif kind == "gone":
        path.unlink()
    else:
        with open(path, "ab") as file:
            file.write(bytes(source.randrange(100_000)))
    return f"{name}: {kind}"


def worker_of(process):
    """The worker, a child of the process that restarts it."""
    for _ in range(400):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.02)
    raise SystemExit("served: the server did not start")


def peak(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("covey")
    parser.add_argument("count", type=int)
    parser.add_argument("bases", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    source, folder = random.Random(options.seed), Path(tempfile.mkdtemp(prefix="covey-served-"))
    sound = {Path(base).name: base for base in options.bases}
    for base in options.bases:
        shutil.copy(base, folder)
    names = [name.rsplit(".", 1)[0] for name in sound if ".clusters" not in name]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = open(folder / ".words", "wb")
    process = subprocess.Popen([options.covey, "serve", str(folder), "--port", str(port)],
                               stdout=subprocess.DEVNULL, stderr=words)
    worker, findings, largest, done = worker_of(process), [], 0, []
    time.sleep(0.5)
    askers = [Asker(port, names, first_cluster(options.bases[-1]), options.seed + index) for index in range(options.jobs)]
    for asker in askers:
        asker.start()
    for number in range(options.count):
        done.append(change(source, folder, sound))
        # The server checks its files once a second.
        time.sleep(source.choice([0.05, 0.2, 0.6, 1.1]))
        if process.poll() is not None:
            findings.append(f"after {done[-5:]}: the server ended with {process.returncode}")
            break
        now = worker_of(process)
        if now != worker:
            findings.append(f"after {done[-5:]}: another process answers")
            worker = now
        largest = max(largest, peak(worker))
        if number % 50 == 49:
            print(f"served: {number + 1} of {options.count}, {largest:.0f} MB", file=sys.stderr, flush=True)
    for asker in askers:
        asker.is_done = True
    for asker in askers:
        asker.join(40)
        if asker.slowest[0] > options.seconds:
            findings.append(f"{asker.slowest[1]} took {asker.slowest[0]:.1f} s")
        findings += asker.lost[:3]
    if largest > options.megabytes:
        findings.append(f"{largest:.0f} MB")
    process.terminate()
    try:
        if process.wait(20) != 0:
            findings.append(f"the server ended with {process.returncode}")
    except subprocess.TimeoutExpired:
        process.kill()
        findings.append("the server does not end")
    for finding in findings:
        print(f"  {finding}")
    slowest = max(asker.slowest[0] for asker in askers)
    print(f"served: {len(done)} changes of archives during {sum(a.answers for a in askers)} requests: "
          f"{len(findings)} findings; the slowest took {slowest:.1f} s, the server {largest:.0f} MB at most")
    if findings:
        print(f"  the server's messages are in {folder}/.words")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
