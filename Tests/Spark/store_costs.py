"""What a job in a store costs: requests and bytes of each stage, in a store that counts them. Without Spark, one task
after another.

    store_costs.py FOLDER COVEY POINTS.csv|POINTS.parquet PARTS [--ungathered]
"""

import collections
import os
import random
import re
import shutil
import sys

import pyarrow as pa
from pyarrow import csv, fs, parquet

os.environ["COVEY"] = sys.argv[2]
sys.path[:0] = [os.path.join(os.path.dirname(__file__), "../../Sources/Use", name) for name in ["covey-spark", "covey-python"]]
import covey
import covey_spark.build
from covey_spark import cluster, objects, outputs, recipes, store, tasks
from covey_spark.program import Program

building = sys.modules["covey_spark.build"]


class Counted(store.StoredFolder):
    """A folder that stands for one in S3, and counts what it is asked for."""

    def __init__(self, root):
        super().__init__("store", fs.LocalFileSystem(), root)
        self.requests = self.bytes = self.sent = 0
        # Requests by what they are about, and what is in each object.
        self.kinds, self.packs = collections.Counter(), {}

    def objects(self):
        return CountedObjects(self)

    def count(self, way, what):
        self.requests += 1
        self.kinds[what, way] += 1


class CountedObjects(objects.Objects):
    """What botocore would do: one request for some bytes of an object, and one for an object that is brought."""

    def __init__(self, counted):
        super().__init__(counted.address, counted.system, counted.root)
        self.counted = counted

    def sizes(self):
        found = super().sizes()
        # A store lists a thousand names at a time.
        for _ in range(1 + len(found) // 1000):
            self.counted.count("list", "all")
        return found

    def read(self, name, start, end):
        files = self.counted.packs.get(name, [(name, 0, 0, end)])
        self.counted.count("read", max((min(end, place + length) - max(start, place), kind(file))
                                       for file, _, place, length in files)[1])
        self.counted.bytes += end - start
        yield from super().read(name, start, end)

    def put(self, name, source):
        self.counted.count("put", name if "/" not in name else "packs")
        self.counted.sent += source.seek(0, os.SEEK_END)
        source.seek(0)
        super().put(name, source)

    def pack(self, files):
        name, found = super().pack(files)
        self.counted.packs[name] = found
        return name, found

    def remove(self, name):
        self.counted.count("remove", name)
        super().remove(name)


def kind(name):
    """What a file of the job is."""
    found = re.search(r"\.(blocks|up|tree|border|head)$|(index/leaves|index/directories|index/|parts|tiles|top/ids|top/|points)", name)
    return found[0] if found else name


class OneByOne(cluster.Cluster):
    """What stands for Spark, with eight cores."""

    parallelism, most_tasks, threads, executor_cores, counter = 8, None, 2, 2, {}

    def __init__(self):
        """There is no session."""

    def ship(self, binary):
        return binary, None

    def tell(self, stage, done, total):
        pass

    def counters(self):
        return {}

    def done(self, stage, cells):
        """Is told when all cells of a stage are done."""

    def run_cells(self, stage, cells, task, place):
        task.known, task.shares = place.known(), cluster.shares(cells, self.tasks_for(cells, place))
        rows = []
        for number in range(len(task.shares)):
            rows += [row for batch in task([pa.record_batch({"id": [number]})]) for row in batch.to_pylist()]
        told = tasks.unpacked(rows, place)
        self.done(stage, cells)
        return told


class Out:
    """The archive, as if it went to the store in parts."""

    is_pmtiles = True

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def check(self, force):
        pass

    def for_tasks(self):
        return CountedParts(store.archive_files(self.path), self.folder)


class CountedParts(outputs.SharedFiles):
    """Uploads that are files. To begin and to end one are requests, and so is each part."""

    def __init__(self, targets, folder):
        super().__init__(targets)
        self.folder = folder

    def begin(self, sizes, count):
        super().begin(sizes, count)
        for _ in range(2 * len(sizes)):
            self.folder.count("upload", "archive")
        self.part = outputs.part_length(sizes, count)
        return self.part

    def write(self, piece, path):
        for _ in range(-(-(piece["end"] - piece["start"]) // self.part)):
            self.folder.count("put", "archive")
        self.folder.sent += piece["end"] - piece["start"]
        return super().write(piece, path)


def rows(path, parts):
    """The points in any order, part by part."""
    table = parquet.read_table(path) if path.endswith(".parquet") else csv.read_csv(path)
    numbers = list(range(len(table)))
    random.Random(5).shuffle(numbers)
    for part in range(parts):
        yield table.take(pa.array(sorted(numbers[part::parts])))


def begun(folder, place):
    """A build whose job is in a folder."""
    spark = OneByOne()
    document, _ = recipes.document(None, {None: None}, "points", "-", covey.arguments({"max_zoom": 14}))
    return building.Run(spark, Program(spark, sys.argv[2]), folder, place, document, False)


def main(work, _, points, parts, *words):
    folder = Counted(os.path.join(work, "store"))
    shutil.rmtree(folder.root, ignore_errors=True)
    os.makedirs(folder.root)
    with folder.at_hand() as place:
        run = begun(folder, place)
        program, read, count = run.program, [], 0
        reading = program.reading(folder, run.document, "points")
        for table in rows(points, int(parts)):
            count += len(table)
            reading.names = table.column_names
            for batch in reading(iter(table.to_batches())):
                read += tasks.unpacked(batch.to_pylist(), place)
        all_parts = sum(size for name, size in place.sizes.items()
                        if name.startswith("parts/") and not name.endswith(".head"))
        stages = {}

        def told(stage):
            stages[stage] = [sum(both) for both in zip(stages.get(stage, [0] * 3), [folder.requests, folder.bytes, folder.sent])]
            print(f"{stage:10} {folder.requests:7} requests, {1e6 * folder.requests / count:6.1f} a million points; "
                  f"{folder.bytes / all_parts:5.2f} × the parts fetched, {folder.sent / all_parts:5.2f} × sent", flush=True)
            print("  " + ", ".join(f"{what} {way} {count}" for (what, way), count in folder.kinds.most_common(9)))
            folder.requests = folder.bytes = folder.sent = 0
            folder.kinds.clear()

        told("read")
        gathered = read if "--ungathered" in words else run.gather(read)
        told("gather")
        run.plan(read, gathered, "2G", [])
        told("plan")
        run.cluster.done = lambda stage, cells: stage == "cluster" and told(
            "a level" if cells[0][0].startswith("above") else "cells")
        for stage in [run.cluster_cells, run.top, run.tiles]:
            stage()
            if stage != run.cluster_cells:
                told(stage.__name__)
        out = Out(os.path.join(work, "out.pmtiles"), folder)
        run.index(out)
        told("index")
        run.merge(out, True)
        told("merge")
        size = sum(os.path.getsize(os.path.join(work, name)) for name in ["out.pmtiles", "out.clusters.pmtiles"])
        print(f"{count} points in {len(gathered)} of {parts} parts, {run.report.cells} cells; "
              f"{1e6 * sum(each[0] for each in stages.values()) / count:.1f} requests a million points in all; "
              f"index fetched {stages['index'][1] / size:.2f} and merge {stages['merge'][1] / size:.2f} × the archive, "
              f"which has {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
