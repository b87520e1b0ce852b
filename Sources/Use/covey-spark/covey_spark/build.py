"""A build, stage by stage. Its state is what lies in the job's folder, so it may begin anywhere."""

import collections
import json
import os
import shutil
import time

from typing import Any, Callable, Dict, Optional, Union

from covey import CoveyError, arguments

from . import frames, places, recipes
from .cluster import SPARK_ERRORS, Cluster, told_by
from .outputs import MOST_IN_PIECE, Unable, pieces
from .program import Program
from .report import Report, reading
from .objects import StoreError

Path = Union[str, "os.PathLike[str]"]


def build(points: Any, out: Path, *, job: Optional[Path] = None, recipe: Union[Path, Dict[str, Any], None] = None,
          layer: Optional[str] = None, source: Optional[str] = None, lon: Optional[str] = None, lat: Optional[str] = None,
          wkb: Optional[str] = None, force: bool = False, binary: Optional[str] = None,
          task_memory: Optional[str] = None, tasks: Optional[int] = None, cell_zoom: Optional[int] = None,
          cell_margin: Optional[float] = None, in_cells: bool = False, resume: bool = False,
          progress: Union[bool, Callable[[str, int, int], None]] = True, spark: Any = None, storage: Any = None,
          **options: Any) -> Report:
    """Builds an archive from a DataFrame, and returns a `Report`.

    - `points`: a DataFrame, or of each layer of a recipe one by its name. Columns that no attribute can hold (arrays,
      maps, structs, variants, intervals) are left out, and the report's notes say so.
    - `out`: the archive: a path of the driver, or an address of a store. Tasks write PMTiles where all workers see the
      path, or upload them to S3 where boto3 is installed; else the driver merges alone, and the report's notes say why.
    - `job`: a folder that the driver and all workers see under this path, or an address of a store. It stays, and
      another build of the same goes on where this one was stopped. Without it, and on one machine only, one that
      goes away.
    - `storage`: how to get to that store, where neither the environment nor Spark's settings say: arguments of the
      file system that Arrow has for it, as {"endpoint_override": "store:9000"}, or such a file system itself.
    - `source`: what the archive says its points come from, where there is no recipe that says it.
    - `lon`, `lat`, `wkb`: the columns that say where points are; the usual names are known, and so is a column of
      type GEOMETRY or GEOGRAPHY, whose coordinate system counts unless `crs` says another.
    - `binary`: the program's path on the workers; without it the driver's own goes along.
    - `task_memory`: what a task may use beside Spark, as "4G"; cells that need more are cut again.
    - `tasks`: into how many tasks a stage is cut at most.
    - `cell_zoom`, `cell_margin`: how the world is cut, where the points should not decide.
    - `in_cells`: cuts it even where one worker has the memory to build all in one piece, as do `cell_zoom`,
      `cell_margin`, `task_memory` and `tasks`.
    - `resume`: goes on with a job whose table Spark cannot tell from another, as one made in memory or by chance. Such
      a job is refused otherwise, for it might be about other rows.
    - `progress`: False, True (the logger "covey_spark" tells, on standard error unless logging is set up otherwise),
      or a function of stage, done and total.
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
    folder, is_ours = places.folder(job, storage, cluster)
    try:
        archive = places.Archive(out, folder, storage, cluster)
        archive.check(force)
        document, layers = recipes.document(recipe, tables, layer, source, arguments(options))
        found = {name: frames.points(table, lon, lat, wkb) for name, table in layers.items()}
        recipes.add_systems(document, {name: each.crs for name, each in found.items()})
        tables = {name: each.table for name, each in found.items()}
        recipes.check_groups(document, tables)
        cut = arguments({"cell_zoom": cell_zoom, "cell_margin": cell_margin})
        recipes.try_schemas(document, tables, [*cut, *arguments({"task_memory": task_memory})])
        with folder.at_hand() as place:
            run = Run(cluster, Program(cluster, binary), folder, place, document, resume)
            run.report.notes += [note for each in found.values() for note in each.notes]
            parts = run.read(tables)
            if parts and not (in_cells or cut or task_memory or tasks) and run.whole(parts, archive, force):
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
        raise CoveyError(f"Spark: {told_by(error)}") from error
    finally:
        if is_ours:
            shutil.rmtree(folder.path, ignore_errors=True)


class Run:
    def __init__(self, cluster, program, folder, place, document, resume):
        self.cluster = cluster
        self.program = program
        # Where the job's files lie, and where the driver has them.
        self.folder, self.place = folder, place
        self.document = json.dumps(document)
        self.resume = resume
        self.report = Report()
        place.refresh()
        found = place.read("recipe.json")
        if found == self.document:
            return
        if place.has("plan.json"):
            told = recipes.differences(json.loads(found or "null"), document)
            self.refuse("a job with other options: " + "; ".join(told[:MOST_DIFFERENCES]))
        # A job that failed before it had a plan has nothing to go on with.
        place.remove("parts")
        place.write("recipe.json", self.document)

    def refuse(self, other):
        raise CoveyError(f"{self.folder.address}: holds {other}\nname another folder, or remove this one")

    def check_tables(self, described):
        """Goes on only with the points that the job was begun with."""
        begun = json.loads(self.place.read("tables.json") or "{}")
        for name, table in described.items():
            what = frames.difference(begun[name], table) if name in begun else "it is new"
            if what:
                self.refuse(f"a job of other points: of the table of {name}, {what}")
            if "unknown" in table and not self.resume:
                raise CoveyError(
                    f"{self.folder.address}: holds a job that may be about other rows: of the table of {name}, "
                    f"{table['unknown']}\nif they are the same, pass resume=True; else name another folder, or remove "
                    "this one")

    def status(self):
        return json.loads(self.program.here(self.place, "status", "--json"))

    def read(self, layers):
        """From tables to points in parts; None where there is a plan of them."""
        described = {name: frames.described(table) for name, table in layers.items()}
        if self.place.has("plan.json"):
            self.check_tables(described)
            if self.place.has("read.json"):
                self.report.take_reading(json.loads(self.place.read("read.json")))
            return None
        start = time.monotonic()
        read = []
        for name, table in layers.items():
            read += self.cluster.run_table("read", table, self.program.reading(self.folder, self.document, name),
                                           self.place)
        told = reading(read)
        self.report.take_reading(told)
        self.place.write("read.json", json.dumps(told))
        self.place.write("tables.json", json.dumps(described, sort_keys=True))
        self.report.seconds["read"] = time.monotonic() - start
        return read

    def whole(self, parts, archive, force):
        """Builds in one piece on one worker, if it has the memory; what a cut costs is more than others could help."""
        if not archive.is_file:
            return False
        start = time.monotonic()
        # One that was left by a build that was stopped may be of other points.
        self.place.remove("archive")
        name = f"archive/{archive.name}"
        task = self.program.whole(self.folder, self.document, listed(parts), name, self.cluster.task_memory(parts))
        report = self.cluster.run_cells("whole", [["all points", 1]], task, self.place)[0]["report"]
        if report is None:
            return False
        self.report.merged = report
        # Something may have appeared meanwhile.
        archive.check(force)
        with archive.output(self.place) as path:
            self.place.take(name, path)
        self.report.seconds["whole"] = time.monotonic() - start
        return True

    def gather(self, parts):
        """Parts of which few lie at one place: of each, a cell reads the edges of its ground."""
        parts = parts or []
        start = time.monotonic()
        while True:
            # When each layer has so few that one round is enough, that is the last.
            is_last = max(collections.Counter(map(layer_of, parts)).values(), default=0) <= MOST_PARTS
            heads = [[f"parts/{part['part']}.head"] for part in parts]
            lists, parts = parts_to_gather(parts, self.cluster.parallelism, self.place.fewest)
            if not lists:
                return parts
            # All tasks read the heads of all parts.
            self.place.bring(heads)
            task = self.program.gathering(self.folder, self.document, lists)
            cells = [[str(number), 1] for number in range(len(lists))]
            parts += self.cluster.run_cells("gather", cells, task, self.place)
            self.report.seconds["gather"] = time.monotonic() - start
            if is_last:
                return parts

    def plan(self, parts, gathered, task_memory, cut):
        if parts is None:
            return
        start = time.monotonic()
        memory = task_memory or self.cluster.task_memory(parts)
        with self.place.lent(listed(gathered)) as names:
            self.program.here(
                self.place, "plan", self.place.lay("recipe.json", self.document), "--parts", names, "--quiet",
                "--cell-memory", str(memory), *cut)
        self.place.give()
        self.report.seconds["plan"] = time.monotonic() - start

    def cluster_cells(self):
        """Clusters cells, and then what they handed up, level by level."""
        start = time.monotonic()
        rounds = 0
        while True:
            status = self.status()
            if status["next"] != "cluster":
                break
            done = self.cluster.run_cells(
                "cluster", status["left"], self.program.cells("cluster", self.folder), self.place)
            self.report.take_cells(done)
            rounds += 1
            if rounds > 64:
                raise CoveyError(f"{self.folder.address}: cells are left however often they are clustered")
        self.report.cells = status["cells"]
        self.report.seconds["cluster"] = time.monotonic() - start

    def top(self):
        if self.status()["top"]:
            return
        start = time.monotonic()
        self.cluster.run_cells("top", [["the top", 1]], self.program.top(self.folder), self.place)
        self.report.seconds["top"] = time.monotonic() - start

    def tiles(self):
        status = self.status()
        if status["next"] != "tiles":
            return
        start = time.monotonic()
        self.cluster.run_cells("tiles", status["left"], self.program.cells("tiles", self.folder), self.place)
        self.report.seconds["tiles"] = time.monotonic() - start

    def index(self, archive):
        """Makes what an archive has beside tiles: blocks of leaves, and directories where it has any."""
        status = self.status()
        # To ask what is left makes a file that tasks want.
        self.place.give()
        left = [unit for unit in status["left"] if archive.is_pmtiles or unit[0].startswith("leaves")]
        if status["next"] != "index" or not left:
            return
        start = time.monotonic()
        self.cluster.run_cells("index", left, self.program.cells("index", self.folder), self.place)
        self.report.seconds["index"] = time.monotonic() - start

    def merge(self, archive, force):
        start = time.monotonic()
        try:
            if not archive.is_pmtiles:
                raise Unable("")
            self.merge_in_tasks(archive, force)
        except Unable as reason:
            if str(reason):
                self.report.notes.append(f"the driver merged alone: {reason}")
                self.cluster.note(self.report.notes[-1])
            self.merge_here(archive, force)
        self.report.seconds["merge"] = time.monotonic() - start
        return self.end()

    def merge_in_tasks(self, archive, force):
        """Lets tasks write all bytes of PMTiles. The driver knows how many there are, and gives the files their names."""
        output = archive.for_tasks()
        laid = json.loads(self.program.here(self.place, "merge", "--lay-out", "--quiet"))
        self.place.give()
        sizes = laid.pop("file_sizes")
        try:
            count = self.cluster.tasks
            if self.place.fewest:
                count = min(count, max(self.cluster.parallelism, sum(sizes) // MOST_IN_PIECE))
            found = pieces(sizes, output.begin(sizes, count), count)
            task = self.program.copying(self.folder, found, output)
            told = self.cluster.run_cells(
                "merge", [[str(number), each["end"] - each["start"]] for number, each in enumerate(found)], task, self.place)
            for each in told:
                if "unable" in each:
                    raise Unable(each["unable"])
            if sorted(each["offset"] for each in told) != [each["offset"] for each in found]:
                raise CoveyError("merge: not all bytes of the archive were written")
            # Much may have happened since the build was begun.
            archive.check(force)
            output.end(told)
        except BaseException:
            output.abandon()
            raise
        self.report.merged = laid

    def merge_here(self, archive, force):
        """Merges on the driver, and brings the archive to its place."""
        self.cluster.tell("merge", 0, 1)
        with archive.output(self.place) as path:
            words = ["-o", path, "--json", "--quiet"]
            self.report.merged = json.loads(
                self.program.here(self.place, "merge", *words, *(["--force"] if force else [])))
        self.cluster.tell("merge", 1, 1)

    def end(self):
        if "tiles" in self.cluster.counter:
            self.cluster.counter["tiles"].add(self.report.tiles)
        self.report.counters = self.cluster.counters()
        return self.report


# So many options are told in which a job differs.
MOST_DIFFERENCES = 5
# So many parts are gathered by one task, and it makes one of so many points; of fewer, each core has some.
MOST_PARTS = 128
POINTS_IN_PART = 32_000_000
FEWEST_POINTS = 1_000_000
# So many parts at one place are read as they are.
MOST_AT_A_PLACE = 4


def layer_of(part):
    return part["part"].split("-")[0]


def parts_to_gather(parts, cores, fewest=0):
    """For each task that is to gather parts of a layer these and its share; and the parts that stay as they are."""
    lists, others = [], []
    for layer in sorted(set(map(layer_of, parts))):
        own = [part for part in parts if layer_of(part) == layer]
        stretches = [(*part["stretch"], part["passes"]) for part in own if part["stretch"]]
        width = max((last for _, last, _ in stretches), default=0) - min((first for first, *_ in stretches), default=0) + 1
        if sum((last - first + 1) * passes for first, last, passes in stretches) <= MOST_AT_A_PLACE * width:
            others += own
            continue
        if len(own) > MOST_PARTS:
            # Too many for one task: first as they come.
            lists += [(listed(own[start:start + MOST_PARTS]), "1/1") for start in range(0, len(own), MOST_PARTS)]
            continue
        points = sum(part["points"] for part in own)
        count = max(points // POINTS_IN_PART, min(cores, points // max(FEWEST_POINTS, fewest)), 1)
        lists += [(listed(own), f"{share}/{count}") for share in range(1, count + 1)]
    return lists, others


def listed(parts):
    return "".join(f"{part['part']}\n" for part in parts)
