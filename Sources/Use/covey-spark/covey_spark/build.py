"""A build, stage by stage. Its state is in the files of the job, so it can continue after any stage."""

import collections
import contextlib
import json
import os
import shutil
import time

from typing import Any, Callable, Dict, Optional, Union

from covey import CoveyError, arguments

from . import frames, locations, recipes
from .cluster import SPARK_ERRORS, Cluster, message_of
from .objects import StoreError
from .outputs import MAX_PIECE, TasksCannotWrite, pieces
from .program import Program
from .report import Report, reading_of
from .store import temporary_text

Path = Union[str, "os.PathLike[str]"]

# An error about other options names at most so many of them.
MAX_DIFFERENCES = 5
# A task gathers at most so many parts.
MAX_PARTS = 128
# A gathered part has about POINTS_IN_PART points. If there are fewer points, each core makes a part, of at least
# MIN_POINTS_IN_PART points.
POINTS_IN_PART = 32_000_000
MIN_POINTS_IN_PART = 1_000_000
# From a store, a task that gathers fetches about so many points at least with each request.
POINTS_IN_REQUEST = 250_000
# Parts are not gathered if on average at most so many of them overlap along the curve.
MAX_OVERLAP = 4
# Clustering takes fewer rounds than this.
MAX_ROUNDS = 64


def build(points: Any, out: Path, *, job: Optional[Path] = None, recipe: Union[Path, Dict[str, Any], None] = None,
          layer: Optional[str] = None, source: Optional[str] = None, lon: Optional[str] = None, lat: Optional[str] = None,
          wkb: Optional[str] = None, force: bool = False, binary: Optional[str] = None,
          task_memory: Optional[str] = None, tasks: Optional[int] = None, cell_zoom: Optional[int] = None,
          cell_margin: Optional[float] = None, in_cells: bool = False, resume: bool = False,
          progress: Union[bool, Callable[[str, int, int], None]] = True, spark: Any = None, storage: Any = None,
          **options: Any) -> Report:
    """Builds an archive from a DataFrame, and returns a `Report`.

    - `points`: a DataFrame, or a dict with a DataFrame for each layer of a recipe. Columns that no attribute can hold
      (arrays, maps, structs, variants, intervals) are left out, and the report's notes name them.
    - `out`: the archive: a path of the driver, or an address of a store. Tasks write PMTiles if all workers see the
      path, or upload them to S3 if boto3 is installed. Otherwise the driver merges alone, and the report's notes say why.
    - `job`: a folder that the driver and all workers see under this path, or an address of a store. It is kept, and
      another build with the same arguments continues from it. Without it, the build uses a temporary folder, which is
      possible on one machine only.
    - `storage`: the connection to that store, if neither the environment nor Spark's settings have it: arguments of
      Arrow's file system, as {"endpoint_override": "store:9000"}, or such a file system itself.
    - `source`: what the archive names as the source of its points, if there is no recipe that names one.
    - `lon`, `lat`, `wkb`: the columns of coordinates or of geometries. Usual names are found, and so is a column of type
      GEOMETRY or GEOGRAPHY, whose coordinate system is used unless `crs` names another.
    - `binary`: the program's path on the workers. Without it the driver's program is sent to them.
    - `task_memory`: the memory that a task may use besides Spark, as "4G". Cells that need more are cut again.
    - `tasks`: the largest number of tasks of a stage.
    - `cell_zoom`, `cell_margin`: how the world is cut into cells. By default the points decide.
    - `in_cells`: cuts the world into cells even if one worker has the memory to build everything in one piece.
      `cell_zoom`, `cell_margin`, `task_memory` and `tasks` do so too.
    - `resume`: continues a job although Spark cannot tell whether its rows are the same, as for a table in memory or a
      random query. Without it, such a job is refused.
    - `progress`: False, True (the logger "covey_spark", which prints on standard error unless logging is set up
      otherwise), or a function of stage, done and total.
    - All other options are those of `covey build` about input, clusters and tiles, with _ for -.
    """
    if (lon is None) != (lat is None):
        raise ValueError("name both lon and lat, or neither")
    if wkb is not None and lon is not None:
        raise ValueError("points are in lon and lat or in wkb, not in both")
    if tasks is not None and (isinstance(tasks, bool) or not isinstance(tasks, int) or tasks < 1):
        raise ValueError(f"tasks={tasks!r}: the most tasks of a stage are a whole number from 1 on")
    for name, path in (("out", out), ("job", job)):
        if path is not None and not os.fspath(path):
            raise ValueError(f"{name} is empty: it is a path, or an address of a store")
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError("progress is True, False or a function of stage, done and total")
    options.update(lon=lon, lat=lat)
    given = points if isinstance(points, dict) else {None: points}
    if not given:
        raise ValueError("points has no table")
    tables = {name: frames.checked(table, name) for name, table in given.items()}
    spark = spark or next(iter(tables.values())).sparkSession
    cluster = Cluster(spark, progress, tasks)
    folder, is_temporary = locations.job_folder(job, storage, cluster)
    try:
        archive = locations.Archive(out, folder, storage, cluster)
        archive.check(force)
        document, layers = recipes.document(recipe, tables, layer, source, arguments(options))
        found = {name: frames.points(table, lon, lat, wkb) for name, table in layers.items()}
        recipes.add_systems(document, {name: each.crs for name, each in found.items()})
        tables = {name: each.table for name, each in found.items()}
        recipes.check_groups(document, tables)
        cut = arguments({"cell_zoom": cell_zoom, "cell_margin": cell_margin})
        recipes.check_columns(document, tables, [*cut, *arguments({"task_memory": task_memory})])
        with folder.open() as files:
            run = Run(cluster, Program(cluster, binary), folder, files, document, resume)
            run.report.notes += [note for each in found.values() for note in each.notes]
            parts = run.read(tables)
            if parts and not (in_cells or cut or task_memory or tasks) and run.build_whole(parts, archive, force):
                return run.end()
            run.plan(parts, run.gather(parts), task_memory, cut)
            run.cluster_cells()
            run.top()
            run.tiles()
            run.index(archive)
            return run.merge(archive, force)
    except StoreError as error:
        raise CoveyError(str(error)) from error
    except SPARK_ERRORS as error:
        raise CoveyError(f"Spark: {message_of(error)}") from error
    finally:
        if is_temporary:
            shutil.rmtree(folder.path, ignore_errors=True)


class Run:
    def __init__(self, cluster, program, folder, files, document, resume):
        self.cluster = cluster
        self.program = program
        # The job's folder, and its files as the driver sees them.
        self.folder, self.files = folder, files
        self.document = json.dumps(document)
        self.resume = resume
        self.report = Report()
        files.refresh()
        found = files.read("recipe.json")
        if found == self.document:
            return
        if files.has("plan.json"):
            differences = recipes.differences(json.loads(found or "null"), document)
            self.refuse("a job with other options: " + "; ".join(differences[:MAX_DIFFERENCES]))
        # A job without a plan cannot continue, so it is replaced.
        files.remove("parts")
        files.write("recipe.json", self.document)

    def refuse(self, other):
        raise CoveyError(f"{self.folder.address}: holds {other}\nname another folder, or remove this one")

    def check_tables(self, described):
        """Raises an error if the tables are not those with which the job began."""
        begun = json.loads(self.files.read("tables.json") or "{}")
        for name, table in described.items():
            change = frames.difference(begun[name], table) if name in begun else "it is new"
            if change:
                self.refuse(f"a job of other points: of the table of {name}, {change}")
            if "unknown" in table and not self.resume:
                raise CoveyError(
                    f"{self.folder.address}: holds a job that may be about other rows: of the table of {name}, "
                    f"{table['unknown']}\nif they are the same, pass resume=True; else name another folder, or remove "
                    "this one")

    @contextlib.contextmanager
    def timed(self, stage):
        """Adds the time of a stage to the report."""
        start = time.monotonic()
        yield
        self.report.seconds[stage] = time.monotonic() - start

    def status(self):
        return json.loads(self.program.run(self.files, "status", "--json"))

    def read(self, layers):
        """Reads tables, and returns the parts with their points; None if the job has a plan already."""
        described = {name: frames.described(table) for name, table in layers.items()}
        if self.files.has("plan.json"):
            self.check_tables(described)
            if self.files.has("read.json"):
                self.report.add_reading(json.loads(self.files.read("read.json")))
            return None
        read = []
        with self.timed("read"):
            for name, table in layers.items():
                read += self.cluster.run_table("read", table, self.program.read_task(self.folder, self.document, name),
                                               self.files)
            reading = reading_of(read)
            self.report.add_reading(reading)
            self.files.write("read.json", json.dumps(reading))
            self.files.write("tables.json", json.dumps(described, sort_keys=True))
        return read

    def build_whole(self, parts, archive, force):
        """Builds in one piece on one worker, if it has the memory, and returns whether it did. A cut into
        cells would add more work than other workers could take over."""
        if not archive.is_file:
            return False
        start = time.monotonic()
        # A build that was stopped may have left an archive of other points.
        self.files.remove("archive")
        name = f"archive/{archive.name}"
        task = self.program.whole_task(self.folder, self.document, part_names(parts), name, self.cluster.task_memory(parts))
        report = self.cluster.run_cells("whole", [["all points", 1]], task, self.files)[0]["report"]
        if report is None:
            return False
        self.report.merged = report
        # The archive may have been created during the build.
        archive.check(force)
        with archive.driver_output(self.files) as path:
            self.files.move_archive(name, path)
        self.report.seconds["whole"] = time.monotonic() - start
        return True

    def gather(self, parts):
        """Gathers parts until few of them overlap, because a cell reads from each part that overlaps it."""
        parts = parts or []
        start = time.monotonic()
        while True:
            # One round is enough if no layer has more parts than a task gathers.
            is_last = max(collections.Counter(map(layer_of, parts)).values(), default=0) <= MAX_PARTS
            heads = [[f"parts/{part['part']}.head"] for part in parts]
            points = sum(part["points"] for part in parts)
            lists, parts = parts_to_gather(parts, self.cluster.parallelism, self.files.points_per_task)
            if not lists:
                return parts
            # All tasks read the heads of all parts, so the snapshot for tasks should have them.
            self.files.fetch(heads)
            task = self.program.gather_task(self.folder, self.document, lists)
            cells = [[str(number), points // len(lists)] for number in range(len(lists))]
            parts += self.cluster.run_cells("gather", cells, task, self.files)
            self.report.seconds["gather"] = time.monotonic() - start
            if is_last:
                return parts

    def plan(self, parts, gathered, task_memory, cut):
        if parts is None:
            return
        memory = task_memory or self.cluster.task_memory(parts)
        with self.timed("plan"), temporary_text(part_names(gathered)) as names:
            self.program.run(
                self.files, "plan", self.files.write_locally("recipe.json", self.document), "--parts", names, "--quiet",
                "--cell-memory", str(memory), *cut)
            self.files.upload()

    def cluster_cells(self):
        """Clusters the cells, and then the levels above them, one after another: a round for each."""
        with self.timed("cluster"):
            for _ in range(MAX_ROUNDS):
                status = self.status()
                self.report.cells = status["cells"]
                if status["next"] != "cluster":
                    return
                self.report.add_cells(self.run_cells("cluster", status["left"]))
        raise CoveyError(f"{self.folder.address}: cells are not clustered after {MAX_ROUNDS} rounds")

    def run_cells(self, phase, cells):
        return self.cluster.run_cells(phase, cells, self.program.cell_task(phase, self.folder), self.files)

    def top(self):
        if self.status()["top"]:
            return
        with self.timed("top"):
            self.cluster.run_cells("top", [["the top", 1]], self.program.top_task(self.folder), self.files)

    def tiles(self):
        status = self.status()
        if status["next"] == "tiles":
            with self.timed("tiles"):
                self.run_cells("tiles", status["left"])

    def index(self, archive):
        """Makes the blocks of leaves, and the directories of PMTiles."""
        status = self.status()
        # `covey cells status` has written a file that the tasks read.
        self.files.upload()
        left = [unit for unit in status["left"] if archive.is_pmtiles or unit[0].startswith("leaves")]
        if status["next"] == "index" and left:
            with self.timed("index"):
                self.run_cells("index", left)

    def merge(self, archive, force):
        with self.timed("merge"):
            try:
                if archive.is_pmtiles:
                    self.merge_in_tasks(archive, force)
                else:
                    self.merge_on_driver(archive, force)
            except TasksCannotWrite as reason:
                self.report.notes.append(f"the driver merged alone: {reason}")
                self.cluster.note(self.report.notes[-1])
                self.merge_on_driver(archive, force)
        return self.end()

    def merge_in_tasks(self, archive, force):
        """Lets tasks write the bytes of PMTiles. The driver lays out the files, and completes them when all bytes are written."""
        output = archive.task_output()
        layout = json.loads(self.program.run(self.files, "merge", "--lay-out", "--quiet"))
        self.files.upload()
        sizes = layout.pop("file_sizes")
        try:
            count = self.cluster.max_tasks
            if self.files.points_per_task:
                count = min(count, max(self.cluster.parallelism, sum(sizes) // MAX_PIECE))
            planned = pieces(sizes, output.begin(sizes, count), count)
            task = self.program.merge_task(self.folder, planned, output)
            cells = [[str(number), piece["end"] - piece["start"]] for number, piece in enumerate(planned)]
            written = self.cluster.run_cells("merge", cells, task, self.files)
            for piece in written:
                if "cannot_write" in piece:
                    raise TasksCannotWrite(piece["cannot_write"])
            if sorted(piece["offset"] for piece in written) != [piece["offset"] for piece in planned]:
                raise CoveyError("merge: not all bytes of the archive were written")
            # The archive may have been created during the build.
            archive.check(force)
            output.complete(written)
        except BaseException:
            output.abort()
            raise
        self.report.merged = layout

    def merge_on_driver(self, archive, force):
        """Merges on the driver. An archive for a store is uploaded afterwards."""
        self.cluster.report_progress("merge", 0, 1)
        with archive.driver_output(self.files) as path:
            options = ["-o", path, "--json", "--quiet", *(["--force"] if force else [])]
            self.report.merged = json.loads(self.program.run(self.files, "merge", *options))
        self.cluster.report_progress("merge", 1, 1)

    def end(self):
        if "tiles" in self.cluster.accumulators:
            self.cluster.accumulators["tiles"].add(self.report.tiles)
        self.report.counters = self.cluster.counters()
        return self.report


def layer_of(part):
    return part["part"].split("-")[0]


def parts_to_gather(parts, cores, min_points=0):
    """The parts that tasks gather, as (names, share) for each task, and the parts that stay as they are."""
    lists, others = [], []
    for layer in sorted(set(map(layer_of, parts))):
        own = [part for part in parts if layer_of(part) == layer]
        stretches = [(*part["stretch"], part["passes"]) for part in own if part["stretch"]]
        width = max((last for _, last, _ in stretches), default=0) - min((first for first, *_ in stretches), default=0) + 1
        if sum((last - first + 1) * passes for first, last, passes in stretches) <= MAX_OVERLAP * width:
            others += own
            continue
        if len(own) > MAX_PARTS:
            # Too many for one task: the first round gathers them in groups, in any order.
            lists += [(part_names(own[start:start + MAX_PARTS]), "1/1") for start in range(0, len(own), MAX_PARTS)]
            continue
        points = sum(part["points"] for part in own)
        most = min(cores, points // max(MIN_POINTS_IN_PART, min_points))
        if min_points:
            # Each task makes a request to each pass of a part over the curve.
            most = min(most, points // (POINTS_IN_REQUEST * sum(passes for *_, passes in stretches)))
        count = max(points // POINTS_IN_PART, most, 1)
        lists += [(part_names(own), f"{share}/{count}") for share in range(1, count + 1)]
    return lists, others


def part_names(parts):
    """A text with the names of parts, one in each line."""
    return "".join(f"{part['part']}\n" for part in parts)
