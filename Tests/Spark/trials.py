"""Tests covey_spark on a standalone cluster of two workers on this machine: the same bytes from shuffled input, with a
worker killed in each stage. Then measures its costs relative to `covey build`.

    trials.py FOLDER [POINTS [TURNS]]     the measurement has five million points and three turns by default
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as parquet
from pyspark.sql import SparkSession, functions

import covey
import covey_spark
from cluster import Standalone, descendants, kill
from objects import Objects
from samples import OPTIONS, same, table, write_arrow

# Workers run the same Python.
os.environ["PYSPARK_PYTHON"] = sys.executable
WORK = sys.argv[1]
NAMED = {**OPTIONS, "source": "points.arrow"}
POINTS = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
TURNS = int(sys.argv[3]) if len(sys.argv) > 3 else 3


def at(name):
    return os.path.join(WORK, name)


def session(master, archive=""):
    start = time.monotonic()
    spark = SparkSession.builder.master(master).config("spark.ui.enabled", "false") \
        .config("spark.ui.showConsoleProgress", "false") \
        .config("spark.sql.session.timeZone", "UTC").config("spark.executor.memory", "700m") \
        .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1") \
        .config("spark.archives", archive).config("spark.speculation", "true").config("spark.sql.shuffle.partitions", "4").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    # Starts Python on all executors.
    spark.range(0, 8, 1, 8).mapInArrow(lambda batches: batches, "id long").collect()
    return spark, time.monotonic() - start


def kills(count):
    points = table(count, seed=5)
    parquet.write_table(points, at("points.parquet"), row_group_size=count // 8)
    write_arrow(points, at("points.arrow"))
    covey.build(at("points.arrow"), at("a.pmtiles"), layer="points", **OPTIONS)
    cluster = Standalone(at("cluster"))
    try:
        spark, seconds = session(cluster.address)
        print(f"trials: a standalone cluster of two workers started in {seconds:.1f} s", flush=True)
        frame = spark.read.parquet(at("points.parquet")).repartition(8)
        # The first build is slow because everything starts; the second measures how long stages take.
        for name, table_ in [("shuffled", frame.orderBy(functions.rand(3)).repartition(7)), ("again", frame)]:
            start = time.monotonic()
            report = covey_spark.build(table_, at(f"{name}.pmtiles"), job=at(f"job-{name}"), cell_zoom=3, tasks=8,
                                       progress=False, **NAMED)
            same(at("a.pmtiles"), at(f"{name}.pmtiles"),
                 f"two workers, {count} points {name}, {report.cells} cells, {time.monotonic() - start:.1f} s")
        for stage in STAGES:
            kill_in(stage, cluster, frame, report.seconds[stage], at(f"job-{stage}"), at(f"{stage}.pmtiles"))
        kill_in("whole", cluster, frame, 2, at("job-whole"), at("whole.pmtiles"), how={})
        with_objects(cluster, frame)
        spark.stop()
        in_archive(cluster)
        stopped_driver()
    finally:
        cluster.end()


def with_objects(cluster, frame):
    """The same with a job in a store."""
    store = Objects()
    start = time.monotonic()
    report = covey_spark.build(frame, "s3://maps/out/objects.pmtiles", job="s3://maps/job", storage=store.storage,
                               cell_zoom=3, tasks=8, progress=False, **NAMED)
    print(f"trials: a job in a store, {time.monotonic() - start:.1f} s", flush=True)
    for stage in STAGES:
        kill_in(stage, cluster, frame, report.seconds[stage], f"s3://maps/job-{stage}", f"s3://maps/out/{stage}.pmtiles",
                store)
    if store.uploads():
        print(f"trials: uploads are left: {store.uploads()}", file=sys.stderr)
        sys.exit(1)
    store.end()


def stopped_driver():
    """An application is killed while it clusters; another with the same job continues."""
    store = Objects()
    command = [sys.executable, "-m", "covey_spark", at("points.parquet"), "-o", at("stopped.pmtiles"), "--job",
               "s3://maps/job", "--layer", "points", "--cell-zoom", "3", "--report", at("report.json"), "--quiet",
               *covey.arguments(OPTIONS)]
    for name, value in store.storage.items():
        command += ["--storage", f"{name}={value}"]
    quiet = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.showConsoleProgress=false pyspark-shell"}
    first = subprocess.Popen(command, start_new_session=True, env=quiet)
    while not any("/cluster/" in name for files in store.files("maps/job").values() for name in files):
        time.sleep(0.05)
    kill(first)
    done = len(store.names("maps"))
    subprocess.run(command, check=True, env=quiet)
    with open(at("report.json")) as file:
        if "read" in json.load(file)["seconds"]:
            print("trials: an application that continued read its points again", file=sys.stderr)
            sys.exit(1)
    store.end()
    # The source's name is that of the file.
    os.makedirs(at("as"))
    shutil.copy(at("points.arrow"), at("as/points.parquet"))
    covey.build(at("as/points.parquet"), at("as.pmtiles"), layer="points", **OPTIONS)
    same(at("as.pmtiles"), at("stopped.pmtiles"), f"a driver killed when there were {done} objects")


def in_archive(cluster):
    """A program that --archives unpacks. It writes a line to a file each time it runs."""
    os.makedirs(at("packed/bin"))
    with open(at("packed/bin/covey"), "w") as file:
        file.write(f"#!/bin/sh\necho \"$1 $2\" >>{at('runs')}\nexec {covey.program()} \"$@\"\n")
    os.chmod(at("packed/bin/covey"), 0o755)
    archive = shutil.make_archive(at("covey"), "gztar", at("packed"))
    spark, _ = session(cluster.address, f"{archive}#covey")
    covey_spark.build(spark.read.parquet(at("points.parquet")), at("archive.pmtiles"), job=at("job-archive"),
                      in_cells=True, progress=False, **NAMED)
    spark.stop()
    same(at("a.pmtiles"), at("archive.pmtiles"), "the program from an archive")
    with open(at("runs")) as file:
        runs = set(file.read().split("\n"))
    if not {f"cells {phase}" for phase in STAGES} <= runs:
        print(f"trials: the archive's program was not used: {runs}", file=sys.stderr)
        sys.exit(1)


STAGES = ["read", "cluster", "top", "tiles", "index", "merge"]


def kill_in(stage, cluster, frame, seconds, job, out, store=None, how={"cell_zoom": 3, "tasks": 8}):
    """Builds once more, and kills a worker in the middle of a stage; another worker replaces it."""
    killed, begun, threads = [], {}, []

    def kill():
        # These stages have one task, so all workers are killed.
        for _ in range(len(cluster.workers) if stage in ("top", "whole") else 1):
            cluster.kill_worker()
        killed.append(time.monotonic())
        while len(cluster.workers) < 2:
            cluster.add_worker()

    def progress(name, done, total):
        begun.setdefault(name, time.monotonic())
        if name == stage and not threads:
            threads.append(threading.Timer(max(0.1, 0.2 * seconds), kill))
            threads[0].start()

    start = time.monotonic()
    report = covey_spark.build(frame, out, job=job, storage=store and store.storage, progress=progress, force=True,
                               **how, **NAMED)
    end = time.monotonic()
    threads[0].join()
    after = min((moment for moment in begun.values() if moment > begun[stage]), default=end)
    when = "" if killed[0] < after else ", too late for it"
    if report.notes:
        print(f"trials: {report.notes}", file=sys.stderr)
        sys.exit(1)
    if store:
        for name in [f"{stage}.pmtiles", f"{stage}.clusters.pmtiles"]:
            store.fetch(f"maps/out/{name}", at(name))
    same(at("a.pmtiles"), at(f"{stage}.pmtiles"),
         f"a worker killed {killed[0] - start:.1f} s into {end - start:.1f} s, in {stage}"
         f"{' in a store' if store else ''} "
         f"({report.seconds[stage]:.1f} s instead of {seconds:.1f} s{when})")


def costs():
    """Both builds use two cores and the same points, from Parquet on Spark and from an Arrow file with `covey build`."""
    make(at("large.parquet"), at("large.arrow"))
    options = {"radius": 40, "max_zoom": 14, "aggregates": {"total": "sum:value"}}
    spark, seconds = session("local[2]")
    print(f"trials: Spark started in {seconds:.1f} s", flush=True)
    rows = []
    for turn in range(TURNS):
        whole = timed(lambda: covey.build(
            at("large.arrow"), at("large.pmtiles"), layer="points", threads=2, force=True, **options))
        cells = timed(lambda: covey.build(
            at("large.arrow"), at("cells.pmtiles"), layer="points", threads=2, force=True, job=at(f"cells-{turn}"),
            **options))
        shutil.rmtree(at(f"cells-{turn}"))
        for name, (seconds, used) in [("covey build", whole), ("covey build in cells", cells)]:
            print(f"trials: {name}: {seconds:.1f} s, {used:.1f} s of processor time", flush=True)
        rows.append([compare(spark, whole, options, in_cells) for in_cells in (False, True)])
    for index, how in enumerate(["in one piece", "in cells"]):
        wall, used = (sorted(row[index][which] for row in rows)[len(rows) // 2] for which in (0, 1))
        print(f"trials: {POINTS} points at two cores, {how}: {wall:.2f} times covey build, {used:.2f} times its "
              "processor time (medians)")
    spark.stop()


def compare(spark, whole, options, in_cells):
    """A build on Spark relative to `covey build`: wall clock and processor time."""
    reports = []
    seconds, used = timed(lambda: reports.append(covey_spark.build(
        spark.read.parquet(at("large.parquet")), at("spark.pmtiles"), progress=False, force=True, in_cells=in_cells,
        source="large.arrow", **options)), time_of_all_processes)
    same(at("large.pmtiles"), at("spark.pmtiles"), f"{POINTS} points, {reports[0].cells} cells")
    stages = ", ".join(f"{name} {took:.1f}" for name, took in reports[0].seconds.items())
    print(f"trials: {seconds:.1f} s, {used:.1f} s of processor time: {seconds / whole[0]:.2f} times covey build, "
          f"{used / whole[1]:.2f} times its processor time; {stages}", flush=True)
    return seconds / whole[0], used / whole[1]


def timed(work, processor_time=None):
    """The wall clock and processor time of some work: by default the time of children that have ended."""
    processor_time = processor_time or time_of_ended_children
    used, start = processor_time(), time.monotonic()
    work()
    return time.monotonic() - start, processor_time() - used


def time_of_ended_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_of_all_processes():
    """The processor time of this process, of its descendants, and of their children that have ended."""
    ticks = 0
    for process in [os.getpid(), *descendants(os.getpid())]:
        try:
            with open(f"/proc/{process}/stat") as file:
                ticks += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def make(parquet_path, arrow_path):
    """Writes many skewed points with a text, a number and a whole number."""
    import numpy
    choose = numpy.random.default_rng(1)
    towns = choose.uniform([-180, -60], [180, 70], (400, 2))
    size = choose.pareto(1, 400)
    which = choose.choice(400, POINTS, p=size / size.sum())
    place = towns[which] + choose.normal(0, 1, (POINTS, 2)) * choose.uniform(0.02, 1.5, 400)[which][:, None]
    points = pa.table({
        "lon": (place[:, 0] + 180) % 360 - 180, "lat": place[:, 1].clip(-85, 85),
        "value": choose.uniform(0, 100, POINTS).round(2), "kind": choose.integers(0, 12, POINTS),
        "name": pa.compute.binary_join_element_wise(
            "place", pa.array(choose.integers(0, 99_999, POINTS)).cast(pa.string()), " "),
    })
    parquet.write_table(points, parquet_path, row_group_size=POINTS // 8)
    write_arrow(points, arrow_path)


if __name__ == "__main__":
    kills(200_000)
    costs()
