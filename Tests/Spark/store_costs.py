"""Counts the requests and bytes of each stage of a job in a store. Tasks run one after another, without Spark.

    store_costs.py FOLDER COVEY POINTS.csv|POINTS.parquet PARTS [--ungathered]
"""

import collections
import os
import re
import shutil
import sys

import numpy
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
    """A local folder in place of one in S3, which counts requests."""

    def __init__(self, root):
        super().__init__("store", fs.LocalFileSystem(), root)
        self.requests = self.bytes = self.sent = 0
        # The requests by kind of file, and the manifest of each object.
        self.kinds, self.manifests = collections.Counter(), {}

    def objects(self):
        return CountedObjects(self)

    def count(self, method, what):
        self.requests += 1
        self.kinds[what, method] += 1


class CountedObjects(objects.Objects):
    """The requests of botocore: one for a range of an object, and one to upload an object."""

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
        manifest = self.counted.manifests.get(name, [(name, 0, 0, end)])
        self.counted.count("read", max((min(end, offset + length) - max(start, offset), kind(file))
                                       for file, _, offset, length in manifest)[1])
        self.counted.bytes += end - start
        yield from super().read(name, start, end)

    def put(self, name, source):
        self.counted.count("put", name if "/" not in name else "packs")
        self.counted.sent += source.seek(0, os.SEEK_END)
        source.seek(0)
        super().put(name, source)

    def put_pack(self, files):
        name, manifest = super().put_pack(files)
        self.counted.manifests[name] = manifest
        return name, manifest

    def remove(self, name):
        self.counted.count("remove", name)
        super().remove(name)


def kind(name):
    """The kind of a file of the job, by its name."""
    found = re.search(r"\.(blocks|up|tree|border|head)$|(index/leaves|index/directories|index/|parts|tiles|top/ids|top/|points)", name)
    return found[0] if found else name


class OneByOne(cluster.Cluster):
    """Runs tasks one after another in place of Spark, as for eight cores."""

    parallelism, task_limit, threads, executor_cores, accumulators = 8, None, 2, 2, {}

    def __init__(self):
        """There is no session."""

    def send_program(self, binary):
        return binary, None

    def report_progress(self, stage, done, total):
        pass

    def counters(self):
        return {}

    def done(self, stage, cells):
        """Called when all cells of a stage are done."""

    def run_cells(self, stage, cells, task, files):
        task.snapshot, task.shares = files.snapshot(), cluster.shares(cells, self.tasks_for(stage, cells, files))
        rows = []
        for number in range(len(task.shares)):
            rows += [row for batch in task([pa.record_batch({"id": [number]})]) for row in batch.to_pylist()]
        messages = tasks.messages_of(rows, files)
        self.done(stage, cells)
        return messages


class Out:
    """The archive, as if it was uploaded to the store in parts."""

    is_pmtiles = True

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def check(self, force):
        pass

    def task_output(self):
        return CountedParts(store.archive_files(self.path), self.folder)


class CountedParts(outputs.SharedFiles):
    """Files in place of uploads. To begin and to complete an upload are requests, and so is each part."""

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
    """The points in random order, as a table for each part."""
    table = parquet.read_table(path) if path.endswith(".parquet") else csv.read_csv(path)
    part_of = numpy.random.default_rng(5).integers(0, parts, len(table))
    for part in range(parts):
        yield table.filter(pa.array(part_of == part))


def new_run(folder, files):
    """A build with its job in a folder."""
    spark = OneByOne()
    document, _ = recipes.document(None, {None: None}, "points", "-", covey.arguments({"max_zoom": 14}))
    return building.Run(spark, Program(spark, sys.argv[2]), folder, files, document, False)


def main(work, _, points, parts, *options):
    folder = Counted(os.path.join(work, "store"))
    shutil.rmtree(folder.root, ignore_errors=True)
    os.makedirs(folder.root)
    with folder.open() as files:
        run = new_run(folder, files)
        program, read, count = run.program, [], 0
        task = program.read_task(folder, run.document, "points")
        for table in rows(points, int(parts)):
            count += len(table)
            task.names = table.column_names
            for batch in task(iter(table.to_batches())):
                read += tasks.messages_of(batch.to_pylist(), files)
        all_parts = sum(size for name, size in files.sizes.items()
                        if name.startswith("parts/") and not name.endswith(".head"))
        stages = {}

        def print_stage(stage):
            stages[stage] = [sum(both) for both in zip(stages.get(stage, [0] * 3), [folder.requests, folder.bytes, folder.sent])]
            print(f"{stage:10} {folder.requests:7} requests, {1e6 * folder.requests / count:6.1f} a million points; "
                  f"{folder.bytes / all_parts:5.2f} × the parts fetched, {folder.sent / all_parts:5.2f} × sent", flush=True)
            print("  " + ", ".join(f"{what} {method} {count}" for (what, method), count in folder.kinds.most_common(9)))
            folder.requests = folder.bytes = folder.sent = 0
            folder.kinds.clear()

        print_stage("read")
        gathered = read if "--ungathered" in options else run.gather(read)
        print_stage("gather")
        run.plan(read, gathered, "2G", [])
        print_stage("plan")
        run.cluster.done = lambda stage, cells: stage == "cluster" and print_stage(
            "a level" if cells[0][0].startswith("above") else "cells")
        for stage in [run.cluster_cells, run.top, run.tiles]:
            stage()
            if stage != run.cluster_cells:
                print_stage(stage.__name__)
        out = Out(os.path.join(work, "out.pmtiles"), folder)
        run.index(out)
        print_stage("index")
        run.merge(out, True)
        print_stage("merge")
        size = sum(os.path.getsize(os.path.join(work, name)) for name in ["out.pmtiles", "out.clusters.pmtiles"])
        print(f"{count} points in {len(gathered)} of {parts} parts, {run.report.cells} cells; "
              f"{1e6 * sum(each[0] for each in stages.values()) / count:.1f} requests a million points in all; "
              f"index fetched {stages['index'][1] / size:.2f} and merge {stages['merge'][1] / size:.2f} × the archive, "
              f"which has {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
