"""Runs every verb that reads an archive, and the server, with archives damaged at random. A run must not end by a signal,
take long or use much memory. Called by scripts/damaged.

Limits are in processor time, so that a busy machine causes no findings. A process that takes ten times as long on the
clock, for example because it waits, is killed and reported too.
"""

import argparse
import multiprocessing
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Interop"))

from archive_clusters import ClusterIndex
from claims import claim_in_mbtiles, damage_pmtiles
from hostile import make_hostile
from ways import damage

PATIENCE = 10


def verbs(path, base, cluster):
    yield "inspect", ["inspect", path, "--json"]
    yield "list", ["inspect", path, "--list"]
    yield "heaviest", ["inspect", path, "--heaviest", "5"]
    yield "tile", ["inspect", path, "0/0/0"]
    yield "verify", ["verify", path, "--json"]
    yield "deep", ["verify", path, "--deep", "--json"]
    yield "diff", ["diff", path, base]
    yield "diff with itself", ["diff", path, path]
    for kind in [".mbtiles", ".pmtiles", "-out/"]:
        yield f"convert to {kind}", ["convert", path, f"{path}.out{kind}", "--quiet"]
    yield "join", ["join", path, base, "-o", f"{path}.joined.pmtiles", "--quiet"]
    yield "style", ["style", path]
    yield "containing", ["clusters", path, "--containing", "10,10", "--zoom", "2"]
    for question in ["children", "leaves", "parent", "expansion-zoom", "hull", "bbox", "tree"]:
        yield question, ["clusters", path, cluster, question]


def first_cluster(base, is_large=False):
    """The id of the archive's first cluster, or of the first one with several blocks; an id of no cluster if it has none."""
    database = sqlite3.connect(base.removesuffix(".pmtiles").removesuffix(".mbtiles") + ".mbtiles")
    try:
        index = ClusterIndex.of(database)
        return str((is_large and index.large or index.rows(0))[0].id)
    except (sqlite3.Error, TypeError, KeyError, IndexError):
        return "64"
    finally:
        database.close()


class Watch:
    """The limits of time and memory, and the largest values of all runs."""

    def __init__(self, seconds, megabytes):
        self.seconds, self.megabytes = seconds, megabytes
        self.slowest, self.largest, self.faults = 0.0, 0.0, []

    def finish(self, process, what):
        """Waits for a process, and records its time, memory and faults."""
        end = time.monotonic() + PATIENCE * self.seconds
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                self.faults.append(f"{what}: ran for {PATIENCE * self.seconds:.0f} s")
                break
            time.sleep(0.003)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        took, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        self.slowest, self.largest = max(self.slowest, took), max(self.largest, memory)
        if code < 0 and code != -signal.SIGKILL:
            self.faults.append(f"{what}: {signal.Signals(-code).name}")
        elif code > 2:
            self.faults.append(f"{what}: exit {code}")
        if took > self.seconds:
            self.faults.append(f"{what}: {took:.1f} s")
        if memory > self.megabytes:
            self.faults.append(f"{what}: {memory:.0f} MB")


def start(covey, words):
    return subprocess.Popen(
        [covey, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))


def serve(covey, path, cluster, watch):
    """Requests all kinds of resources from a server, and stops it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = start(covey, ["serve", f"a={path}", "--port", str(port)])
    for asked in ["/health", "/a", "/a/0/0/0", "/a/3/4/2", "/a/style.json", "/catalog",
                  f"/a/clusters/{cluster}/children?limit=1",
                  f"/a/clusters/{cluster}/children?offset=9007199254740992",
                  f"/a/clusters/{cluster}/leaves?limit=5", f"/a/clusters/{cluster}/hull",
                  "/a/leaves?bbox=-180,-85,180,85&limit=2",
                  "/a/clusters/containing?lon=10&lat=10&zoom=2"]:
        end = time.monotonic() + PATIENCE * watch.seconds
        while process.poll() is None:
            try:
                urllib.request.urlopen(
                    f"http://127.0.0.1:{port}{asked}", timeout=PATIENCE * watch.seconds).read()
            except urllib.error.HTTPError:
                pass
            except OSError as error:
                # The server has not started yet.
                if isinstance(error, urllib.error.URLError) \
                        and isinstance(error.reason, ConnectionRefusedError) \
                        and time.monotonic() < end:
                    time.sleep(0.01)
                    continue
                watch.faults.append(f"serve {asked}: {error}")
            except ValueError as error:
                watch.faults.append(f"serve {asked}: {error}")
            break
    if process.returncode is None:
        process.terminate()
        watch.finish(process, "serve")
    elif process.returncode < 0:
        watch.faults.append(f"serve: {signal.Signals(-process.returncode).name}")


def harm(source, path, is_hostile):
    """Damages an archive, and returns a description."""
    if path.endswith(".pmtiles"):
        return damage_pmtiles(source, path)
    if is_hostile:
        return make_hostile(source, path)
    return source.choice([damage, damage, claim_in_mbtiles])(source, path)


def attempt(task):
    seed, covey, bases, folder, options = task
    source = random.Random(seed)
    base = source.choice(bases)
    home = f"{folder}/{seed}"
    os.mkdir(home)
    path = f"{home}/a{Path(base).suffix}"
    shutil.copy(base, path)
    beside = base.replace(".pmtiles", ".clusters.pmtiles")
    if beside != base:
        shutil.copy(beside, f"{home}/a.clusters.pmtiles")
    way = harm(source, path, options.hostile)
    cluster, watch = first_cluster(base, source.random() < 0.3), Watch(options.seconds, options.megabytes)
    runs = list(verbs(path, base, cluster))
    if options.some:
        runs = source.sample(runs, min(options.some, len(runs)))
    kept = f"{folder}/kept-{seed}"
    shutil.copytree(home, kept)
    for verb, words in runs:
        watch.finish(start(covey, words), verb)
    serve(covey, path, cluster, watch)
    shutil.rmtree(home)
    if not watch.faults:
        shutil.rmtree(kept)
    faults = [f"seed {seed} of {Path(base).name} ({way}): {fault}" for fault in watch.faults]
    return faults, watch.slowest, watch.largest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("covey")
    parser.add_argument("count", type=int)
    parser.add_argument("bases", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--hostile", action="store_true", help="schemas that mislead, in place of damage")
    parser.add_argument("--some", type=int, help="so many of the verbs for each archive, drawn at random")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    folder = tempfile.mkdtemp(prefix="covey-damage-")
    bases = [base for base in options.bases if ".clusters." not in base]
    if options.hostile:
        bases = [base for base in bases if base.endswith(".mbtiles")]
    tasks = [(options.seed + index, options.covey, bases, folder, options)
             for index in range(options.count)]
    found, slowest, largest, done = [], 0.0, 0.0, 0
    with multiprocessing.Pool(options.jobs) as pool:
        for faults, took, memory in pool.imap_unordered(attempt, tasks):
            found += faults
            slowest, largest, done = max(slowest, took), max(largest, memory), done + 1
            for fault in faults:
                print(f"  {fault}", flush=True)
            if done % 100 == 0:
                print(f"damaged: {done} of {options.count}", file=sys.stderr, flush=True)
    count = (options.some or len(list(verbs("", "", "")))) + 1
    print(f"{'hostile' if options.hostile else 'damaged'}: {options.count} archives × {count} runs: {len(found)} findings; the slowest "
          f"took {slowest:.1f} s of the processor, the largest {largest:.0f} MB")
    if found:
        print(f"  they are kept in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
