"""Measures how much faster many tasks merge than one, if the job and the archive are in a store that takes 50 ms for each
request and delivers 100 MB a second per stream.

    merge_scale.py FOLDER COVEY [TASKS…]     FOLDER is one that store_costs.py has used

Each task runs the program and fetches ranges, and sleeps for the time that the store would take. Tasks run one after
another, so that each has the machine to itself. On a cluster they would run at the same time, and together take as long
as the slowest.
"""

import json
import os
import sys
import time

import pyarrow as pa

from store_costs import Counted, CountedObjects, new_run, outputs
from covey_spark.cluster import shares

LATENCY = 0.05
RATE = 100e6


class Slow(Counted):
    """A store with this latency and rate."""

    def objects(self):
        return SlowObjects(self)


class SlowObjects(CountedObjects):
    def sizes(self):
        return delayed(lambda: super(SlowObjects, self).sizes(), 0)

    def read(self, name, start, end):
        return iter(delayed(lambda: list(super(SlowObjects, self).read(name, start, end)), end - start))

    def put(self, name, source):
        delayed(lambda: super(SlowObjects, self).put(name, source), source.size)


def delayed(work, size):
    """Does some work, and sleeps until the store would have done it."""
    end = time.monotonic() + LATENCY + size / RATE
    result = work()
    time.sleep(max(0, end - time.monotonic()))
    return result


class SlowParts(outputs.Uploads):
    """Uploads whose parts are discarded."""

    def __init__(self):
        super().__init__([], {})

    def begin(self, sizes, count):
        self.part = outputs.part_length(sizes, count)
        time.sleep(len(sizes) * LATENCY)
        return self.part

    def check(self):
        pass

    def write(self, piece, path):
        for start in range(piece["start"], piece["end"], self.part):
            time.sleep(LATENCY + min(self.part, piece["end"] - start) / RATE)
        return []

    def complete(self, written):
        time.sleep(2 * LATENCY)

    def abort(self):
        pass


def main(work, _, *counts):
    found = {}
    for count in map(int, counts or ("1", "32")):
        folder = Slow(os.path.join(work, "store"))
        with folder.open() as files:
            run = new_run(folder, files)
            output = SlowParts()
            start = time.monotonic()
            files.refresh()
            sizes = json.loads(run.program.run(files, "merge", "--lay-out", "--quiet"))["file_sizes"]
            files.upload()
            part = output.begin(sizes, count)
            pieces = outputs.pieces(sizes, part, count)
            output.complete([])
            driver = time.monotonic() - start
            cells = [[str(number), each["end"] - each["start"]] for number, each in enumerate(pieces)]
            seconds = []
            for share in shares(cells, count):
                task = run.program.merge_task(folder, pieces, output)
                task.snapshot, task.shares = files.snapshot(), [share]
                start = time.monotonic()
                for _ in task([pa.record_batch({"id": [0]})]):
                    pass
                seconds.append(time.monotonic() - start)
        found[count] = driver + max(seconds)
        print(f"{count} tasks, {len(pieces)} pieces, parts of {part >> 20} MiB of {sum(sizes) / 1e6:.0f} MB: "
              f"{max(seconds):.1f} s, the fastest {min(seconds):.1f} s; and on the driver {driver:.1f} s; "
              f"{folder.requests} requests to read", flush=True)
    few, many = min(found), max(found)
    print(f"{many} tasks are {found[few] / found[many]:.1f} times as fast as {few}, the driver's part on both sides")


if __name__ == "__main__":
    main(*sys.argv[1:])
