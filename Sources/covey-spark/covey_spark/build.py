"""A build, stage by stage. Its state is what lies in the job's folder, so it may begin anywhere."""

import json
import os
import shutil
import tempfile
import time

from covey import CoveyError, arguments

from . import frames, places, recipes
from .cluster import Cluster
from .program import Program
from .report import Report


def build(points, out, *, job=None, recipe=None, layer="points", source="-", lon=None, lat=None, wkb=None,
          force=False, binary=None, task_memory=None, tasks=None, cell_zoom=None, cell_margin=None, progress=True,
          spark=None, **options):
    """Builds an archive from a DataFrame, and returns a `Report`.

    - `points`: a DataFrame, or of each layer of a recipe one by its name.
    - `out`: the archive: a path of the driver, or an address that Hadoop's file systems know.
    - `job`: a folder that the driver and all workers see under this path. It stays, and another build of
      the same goes on where this one was stopped. Without it, and on one machine only, one that goes away.
    - `source`: what the archive says its points come from, where there is no recipe that says it.
    - `lon`, `lat`, `wkb`: the columns that say where points are; the usual names are known.
    - `binary`: the program's path on the workers; without it the driver's own goes along.
    - `task_memory`: what a task may use beside Spark, as "4G"; cells that need more are cut again.
    - `tasks`: into how many tasks a stage is cut at most.
    - `cell_zoom`, `cell_margin`: how the world is cut, where the points should not decide.
    - `progress`: False, True (words on standard error), or a function of stage, done and total.
    - All other options are those of `covey build`, with _ for -.
    """
    if (lon is None) != (lat is None):
        raise ValueError("name both lon and lat, or neither")
    if wkb is not None and lon is not None:
        raise ValueError("points are in lon and lat or in wkb, not in both")
    options.update(lon=lon, lat=lat)
    tables = points if isinstance(points, dict) else {None: points}
    spark = spark or next(iter(tables.values())).sparkSession
    cluster = Cluster(spark, progress, tasks)
    folder, is_ours = places.folder(job, cluster)
    try:
        places.check_output(out, force, cluster)
        document, layers = recipes.document(recipe, tables, layer, source, arguments(options))
        program = Program(cluster, binary)
        run = Run(cluster, program, folder, document)
        tables = {name: frames.points(table, wkb) for name, table in layers.items()}
        run.read(tables, task_memory, arguments({"cell_zoom": cell_zoom, "cell_margin": cell_margin}))
        run.cluster_cells()
        run.top()
        run.tiles()
        return run.merge(out, force)
    finally:
        cluster.end()
        if is_ours:
            shutil.rmtree(folder, ignore_errors=True)


class Run:
    def __init__(self, cluster, program, folder, document):
        self.cluster = cluster
        self.program = program
        self.folder = folder
        self.recipe = os.path.join(folder, "recipe.json")
        self.report = Report()
        self.settle(document)

    def settle(self, document):
        """Leaves the recipe for all tasks; a folder keeps the one it has."""
        text = json.dumps(document)
        if os.path.exists(self.recipe):
            with open(self.recipe, encoding="utf-8") as file:
                if file.read() != text:
                    raise CoveyError(f"{self.folder}: holds a job with other options\n"
                                     "name another folder, or remove this one")
            return
        write(self.recipe, text)

    def status(self):
        return json.loads(self.program.here("cells", "status", "--job", self.folder, "--json"))

    def read(self, layers, task_memory, cut):
        """From tables to points in parts, and to a plan."""
        described = os.path.join(self.folder, "tables.json")
        tables = json.dumps({name: frames.described(table) for name, table in layers.items()}, sort_keys=True)
        if os.path.exists(os.path.join(self.folder, "plan.json")):
            with open(described, encoding="utf-8") as file:
                if file.read() != tables:
                    raise CoveyError(f"{self.folder}: holds a job of other tables\n"
                                     "name another folder, or remove this one")
            return
        start = time.monotonic()
        read = []
        for name, table in layers.items():
            read += self.cluster.run_table(
                "read", table, self.program.reading(self.folder, self.recipe, name))
        self.report.take_parts(read)
        parts = os.path.join(self.folder, "parts.txt")
        write(parts, "".join(f"{part['part']}\n" for part in read))
        write(described, tables)
        memory = task_memory or self.cluster.task_memory(read)
        self.report.seconds["read"] = time.monotonic() - start
        start = time.monotonic()
        self.program.here(
            "cells", "plan", self.recipe, "--job", self.folder, "--parts", parts, "--quiet",
            "--cell-memory", str(memory), *cut)
        self.report.seconds["plan"] = time.monotonic() - start

    def cluster_cells(self):
        start = time.monotonic()
        rounds = 0
        while True:
            status = self.status()
            if status["clustered"] == status["cells"]:
                break
            done = self.cluster.run_cells(
                "cluster", status["left"], self.program.cells("cluster", self.folder))
            self.report.take_cells(done)
            rounds += 1
            if rounds > 16:
                raise CoveyError(f"{self.folder}: cells are left however often they are clustered")
        self.report.cells = status["cells"]
        self.report.seconds["cluster"] = time.monotonic() - start

    def top(self):
        if self.status()["top"]:
            return
        start = time.monotonic()
        self.cluster.run_cells("top", [["the top", 1]], self.program.top(self.folder))
        self.report.seconds["top"] = time.monotonic() - start

    def tiles(self):
        status = self.status()
        if status["next"] != "tiles":
            return
        start = time.monotonic()
        self.cluster.run_cells("tiles", status["left"], self.program.cells("tiles", self.folder))
        self.report.seconds["tiles"] = time.monotonic() - start

    def merge(self, out, force):
        start = time.monotonic()
        self.cluster.tell("merge", 0, 1)
        with places.output(out, self.folder, self.cluster) as path:
            words = ["cells", "merge", "--job", self.folder, "-o", path, "--json", "--quiet"]
            self.report.merged = json.loads(self.program.here(*words, *(["--force"] if force else [])))
        self.cluster.tell("merge", 1, 1)
        self.report.seconds["merge"] = time.monotonic() - start
        if "tiles" in self.cluster.counter:
            self.cluster.counter["tiles"].add(self.report.tiles)
        self.report.counters = self.cluster.counters()
        return self.report


def write(path, text):
    """Writes a file that appears whole."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)
