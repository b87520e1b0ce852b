"""What a job in a store costs: requests and bytes of each stage, in a store that counts them. Without Spark, one task
after another.

    store_costs.py FOLDER COVEY POINTS.csv|POINTS.parquet PARTS [--ungathered]
"""

import contextlib
import os
import random
import shutil
import sys

import pyarrow as pa
from pyarrow import csv, fs, parquet

os.environ["COVEY"] = sys.argv[2]
sys.path[:0] = [os.path.join(os.path.dirname(__file__), "../../Sources/Use", name) for name in ["covey-spark", "covey-python"]]
import covey
import covey_spark.build
from covey_spark import recipes, store
from covey_spark.program import Program

building = sys.modules["covey_spark.build"]


class Counted(store.StoredFolder):
    """A folder that stands for a store. Opening an object to read is a request, and so is each stretch of it."""

    def __init__(self, root):
        super().__init__("store", fs.LocalFileSystem(), root)
        self.requests = self.bytes = self.sent = 0

    def sizes(self):
        found = super().sizes()
        # A store lists a thousand names at a time.
        self.requests += 1 + len(found) // 1000
        return found

    def fetch(self, name, stretches, path):
        self.requests += 1 + len(stretches)
        self.bytes += sum(end - start for start, end in stretches)
        super().fetch(name, stretches, path)

    def put(self, path, name):
        self.requests += 1 + os.path.getsize(path) // store.MOST
        self.sent += os.path.getsize(path)
        super().put(path, name)


class OneByOne:
    """What stands for Spark."""

    parallelism, threads, executor_cores, counter = 8, 2, 2, {}

    def ship(self, binary):
        return binary, None

    def tell(self, stage, done, total):
        pass

    def counters(self):
        return {}

    def run_cells(self, stage, cells, task, place):
        task.known, task.shares = place.known(), [[name] for name, _ in cells]
        told = []
        for number in range(len(cells)):
            told += [row for batch in task([pa.record_batch({"id": [number]})]) for row in batch.to_pylist()]
        return [building.json.loads(row["told"]) for row in told]


class Out:
    def __init__(self, path):
        self.path = path

    @contextlib.contextmanager
    def output(self, place):
        yield self.path


def rows(path, parts):
    """The points in any order, part by part."""
    table = parquet.read_table(path) if path.endswith(".parquet") else csv.read_csv(path)
    numbers = list(range(len(table)))
    random.Random(5).shuffle(numbers)
    for part in range(parts):
        yield table.take(pa.array(sorted(numbers[part::parts])))


def main(work, _, points, parts, *words):
    folder = Counted(os.path.join(work, "store"))
    shutil.rmtree(folder.root, ignore_errors=True)
    os.makedirs(folder.root)
    cluster = OneByOne()
    program = Program(cluster, sys.argv[2])
    document, _ = recipes.document(None, {None: None}, "points", "-", covey.arguments({"max_zoom": 14}))
    with folder.at_hand() as place:
        run = building.Run(cluster, program, folder, place, document, False)
        read, count = [], 0
        reading = program.reading(folder, run.document, "points")
        for table in rows(points, int(parts)):
            count += len(table)
            for batch in reading(iter(table.to_batches())):
                read += [building.json.loads(row["told"]) for row in batch.to_pylist()]
        all_parts = sum(size for name, size in folder.sizes().items()
                        if name.startswith("parts/") and not name.endswith(".head"))
        stages = {}

        def told(stage):
            stages[stage] = [folder.requests, folder.bytes, folder.sent]
            print(f"{stage:10} {folder.requests:7} requests, {1e6 * folder.requests / count:6.1f} a million points; "
                  f"{folder.bytes / all_parts:5.2f} × the parts fetched, {folder.sent / all_parts:5.2f} × sent", flush=True)
            folder.requests = folder.bytes = folder.sent = 0

        told("read")
        gathered = read if "--ungathered" in words else run.gather(read)
        told("gather")
        run.plan(read, gathered, "2G", [])
        told("plan")
        for stage in [run.cluster_cells, run.top, run.tiles]:
            stage()
            told(stage.__name__)
        run.merge(Out(os.path.join(work, "out.pmtiles")), True)
        told("merge")
        size = sum(os.path.getsize(os.path.join(work, name)) for name in ["out.pmtiles", "out.clusters.pmtiles"])
        print(f"{count} points in {len(gathered)} of {parts} parts, {run.report.cells} cells; "
              f"{1e6 * sum(each[0] for each in stages.values()) / count:.1f} requests a million points in all; "
              f"merge fetched {stages['merge'][1] / size:.2f} × the archive")


main(*sys.argv[1:])
