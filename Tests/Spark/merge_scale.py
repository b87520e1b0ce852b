"""How much faster many tasks merge than one, where the job and the archive are in a store that takes 50 ms for each
request and gives 100 MB a second to each stream.

    merge_scale.py FOLDER COVEY [TASKS…]     a folder in which store_costs.py has left its store

Tasks are real: each runs the program and fetches what it asks for. What a store would take is slept. They run one after
another, so that each has the machine to itself, as one of a cluster has: so many take as long as the slowest of them.
"""

import json
import os
import sys
import time

import pyarrow as pa

from store_costs import Counted, CountedObjects, begun, outputs
from covey_spark.cluster import shares

LATENCY = 0.05
RATE = 100e6


class Slow(Counted):
    """A store far away."""

    def objects(self):
        return SlowObjects(self)


class SlowObjects(CountedObjects):
    def sizes(self):
        return taking(lambda: super(SlowObjects, self).sizes(), 0)

    def read(self, name, start, end):
        return iter(taking(lambda: list(super(SlowObjects, self).read(name, start, end)), end - start))

    def put(self, name, source):
        taking(lambda: super(SlowObjects, self).put(name, source), source.size)


def taking(work, size):
    """Does some work, as fast as that store would."""
    end = time.monotonic() + LATENCY + size / RATE
    result = work()
    time.sleep(max(0, end - time.monotonic()))
    return result


class SlowParts(outputs.Uploads):
    """Parts that go nowhere."""

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

    def end(self, told):
        time.sleep(2 * LATENCY)

    def abandon(self):
        pass


def main(work, _, *counts):
    found = {}
    for count in map(int, counts or ("1", "32")):
        folder = Slow(os.path.join(work, "store"))
        with folder.at_hand() as place:
            run = begun(folder, place)
            output = SlowParts()
            start = time.monotonic()
            place.refresh()
            sizes = json.loads(run.program.here(place, "merge", "--lay-out", "--quiet"))["file_sizes"]
            place.give()
            part = output.begin(sizes, count)
            pieces = outputs.pieces(sizes, part, count)
            output.end([])
            driver = time.monotonic() - start
            cells = [[str(number), each["end"] - each["start"]] for number, each in enumerate(pieces)]
            seconds = []
            for share in shares(cells, count):
                task = run.program.copying(folder, pieces, output)
                task.known, task.shares = place.known(), [share]
                start = time.monotonic()
                for _ in task([pa.record_batch({"id": [0]})]):
                    pass
                seconds.append(time.monotonic() - start)
        found[count] = driver + max(seconds)
        print(f"{count} tasks, {len(pieces)} pieces, parts of {part >> 20} MiB of {sum(sizes) / 1e6:.0f} MB: "
              f"{max(seconds):.1f} s, the quickest {min(seconds):.1f} s; and on the driver {driver:.1f} s; "
              f"{folder.requests} requests to read", flush=True)
    few, many = min(found), max(found)
    print(f"{many} tasks are {found[few] / found[many]:.1f} times as fast as {few}, the driver's part on both sides")


if __name__ == "__main__":
    main(*sys.argv[1:])
