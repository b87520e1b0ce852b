"""Tests covey_spark on local[2]: the bytes of `covey build` from tables in any order, errors, and jobs that continue.

    COVEY=.build/release/covey PYTHONPATH=Sources/Use/covey-spark:Sources/Use/covey-python python check_spark.py FOLDER
"""

import contextlib
import filecmp
import glob
import io
import json
import logging
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as parquet
import pyspark
from pyspark.sql import SparkSession, functions

import covey
import covey_spark
import covey_spark.__main__
import covey_spark.cluster
import covey_spark.connections
import covey_spark.outputs
import covey_spark.store
from objects import Objects
from samples import OPTIONS, same, table, write_arrow

# The module; `covey_spark.build` is the function.
covey_build = sys.modules["covey_spark.build"]
# Workers run the same Python.
os.environ["PYSPARK_PYTHON"] = sys.executable
WORK = sys.argv[1]
# The options with the name that archives have for their source.
NAMED = {**OPTIONS, "source": "points.arrow"}


def at(name):
    return os.path.join(WORK, name)


def fail(message):
    print(f"check_spark: {message}", file=sys.stderr)
    sys.exit(1)


def refused(what, words, work):
    """Fails unless the work raises a `CoveyError` whose message has all these words."""
    try:
        work()
    except covey.CoveyError as error:
        for word in words:
            if word not in str(error):
                fail(f"{what}: “{error}” does not say “{word}”")
        print(f"check_spark: {what}: {str(error).splitlines()[0]}")
        return
    fail(f"{what}: was not refused")


def shuffled(frame, parts, seed):
    return frame.orderBy(functions.rand(seed)).repartition(parts)


def start():
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false") \
        .config("spark.ui.showConsoleProgress", "false") \
        .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "3") \
        .config("spark.sql.warehouse.dir", at("warehouse")) \
        .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def check_bytes(spark, frame):
    for name, parts, how in [("a.pmtiles", 5, {}), ("a.pmtiles", 4, {"in_cells": True}), ("b.mbtiles", 3, {"cell_zoom": 2})]:
        covey.build(at("points.arrow"), at(name), layer="points", force=True, **OPTIONS)
        report = covey_spark.build(shuffled(frame, parts, 7), at("spark-" + name), force=True, progress=False, **how,
                                   **NAMED)
        same(at(name), at("spark-" + name), f"{name}, shuffled, {report.cells} cells")
        if report.counters["points"] != frame.count() or report.counters["tiles"] != report.tiles \
                or how and report.counters["nodes"] <= report.points or report.tiles == 0 \
                or bool(how) != bool(report.cells):
            fail(f"the counters do not add up: {report.counters}")
    # Let the data choose the deepest zoom, and tiles be too full.
    options = {**OPTIONS, "max_zoom": None, "cluster_max_zoom": 4, "max_tile_features": 300, "precision": 5000}
    covey.build(at("points.arrow"), at("auto.pmtiles"), layer="points", **options)
    covey_spark.build(frame.repartition(4), at("spark-auto.pmtiles"), cell_zoom=2, progress=False,
                      source="points.arrow", **options)
    same(at("auto.pmtiles"), at("spark-auto.pmtiles"), "zooms by the data, crowded tiles")
    # Points of different areas keep apart; some lie in none.
    areas = [{"type": "Feature", "properties": {"code": code}, "geometry": {"type": "Polygon", "coordinates": [
        [[west, -60], [east, -60], [east, 70], [west, 70], [west, -60]]]}} for code, west, east in [("w", -170, 5), ("e", 5, 120)]]
    with open(at("areas.geojson"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": areas}, file)
    options = {**OPTIONS, "regions": at("areas.geojson"), "region_name": "code", "facet": "region"}
    covey.build(at("points.arrow"), at("regions.pmtiles"), layer="points", **options)
    covey_spark.build(shuffled(frame, 4, 9), at("spark-regions.pmtiles"), in_cells=True, progress=False, source="points.arrow", **options)
    same(at("regions.pmtiles"), at("spark-regions.pmtiles"), "regions, shuffled, in cells")


def check_gather(spark, frame):
    """Many parts of an unordered table are gathered into few before cells read them; in two rounds if one task cannot
    take them all."""
    for parts, most, tasks in [(9, 128, [1]), (11, 2, [6, 3])]:
        covey_build.MAX_PARTS = most
        rounds = []
        report = covey_spark.build(
            shuffled(frame, parts, 8), at("gathered.pmtiles"), cell_zoom=2, force=True,
            progress=lambda stage, done, total: rounds.append(total) if (stage, done) == ("gather", 0) else None, **NAMED)
        same(at("a.pmtiles"), at("gathered.pmtiles"), f"{parts} parts, gathered in {len(rounds)} rounds")
        if rounds != tasks or "gather" not in report.seconds:
            fail(f"{parts} parts were gathered in rounds of {rounds} tasks")
    covey_build.MAX_PARTS = 128
    # In one tile of the curve gathering does not separate points, and ends all the same.
    town = frame.filter("lon IS NOT NULL").selectExpr("10 + lon / 4000 AS lon", "50 + lat / 4000 AS lat", "name", "value")
    parquet.write_table(town.toArrow(), at("town.parquet"))
    covey.build(at("town.parquet"), at("town.pmtiles"), layer="points", radius=40, max_zoom=15)
    report = covey_spark.build(town.repartition(7), at("spark-town.pmtiles"), in_cells=True, progress=False,
                               source="town.parquet", radius=40, max_zoom=15)
    same(at("town.pmtiles"), at("spark-town.pmtiles"), "a town in seven parts, gathered")
    if "gather" not in report.seconds:
        fail("the parts of a town were not gathered")


def check_lists():
    """Which tasks gather which parts."""
    def lists(parts, cores=4):
        found, others = covey_build.parts_to_gather(
            [{"part": f"{layer}-{number}", "points": points, "stretch": stretch,
              "passes": max(1, points >> 20)}
             for number, (layer, points, stretch) in enumerate(parts)], cores)
        return [(len(names.splitlines()), share) for names, share in found], len(others)

    wide = [1, 900]
    expected = [
        ([(0, 9, [5, 5])] * 5, ([(5, "1/1")], 0)), ([(0, 999, [5, 5])], ([], 1)),
        ([(0, 9, wide)] * 4, ([], 4)), ([(0, 9, wide)] * 5, ([(5, "1/1")], 0)), ([], ([], 0)),
        # Parts in the order of the curve are not gathered.
        ([(0, 9, [100 * step, 100 * step + 99]) for step in range(9)], ([], 9)),
        ([(0, 9, wide)] * 6 + [(1, 9, wide)] * 2 + [(2, 0, [])], ([(6, "1/1")], 3)),
        # A part that passes over the curve many times counts as many.
        ([(0, 40_000_000, wide)], ([(1, f"{share}/4") for share in range(1, 5)], 0)),
        ([(0, 800_000, wide)] * 8, ([(8, f"{share}/4") for share in range(1, 5)], 0)),
        ([(0, 16_000_000, wide)] * 20, ([(20, f"{share}/10") for share in range(1, 11)], 0)),
        ([(0, 9, wide)] * 300, ([(128, "1/1"), (128, "1/1"), (44, "1/1")], 0)),
    ]
    for parts, wanted in expected:
        if lists(parts) != wanted:
            fail(f"of {len(parts)} parts these are gathered: {lists(parts)}, not {wanted}")
    print("check_spark: parts are divided among the tasks that gather them")


def check_wkb(spark, frame):
    points = parquet.read_table(at("points.parquet"))
    wkb = [struct.pack("<BIdd", 1, 1, lon, lat)
           for lon, lat in zip(points["lon"].to_pylist(), points["lat"].to_pylist())]
    rest = points.drop_columns(["lon", "lat"]).append_column("shape_of_it", pa.array(wkb, pa.binary()))
    parquet.write_table(rest, at("wkb.parquet"))
    covey_spark.build(spark.read.parquet(at("wkb.parquet")), at("wkb.pmtiles"), wkb="shape_of_it", progress=False,
                      **NAMED)
    same(at("a.pmtiles"), at("wkb.pmtiles"), "a column of WKB")


def check_types(spark, frame):
    """Geometries of Spark's own types in any system; columns that no attribute can hold."""
    rest = [name for name in frame.columns if name not in ("lon", "lat")]
    binary = functions.udf(lambda lon, lat: bytearray(struct.pack("<BIdd", 1, 1, lon, lat)), "binary")
    wkb = frame.withColumn("place", binary("lon", "lat")).localCheckpoint()
    for made, how in [("st_geomfromwkb(place, 4326)", {}), ("st_geogfromwkb(place)", {}),
                      ("st_geomfromwkb(place, 0)", {"wkb": "place"})]:
        covey_spark.build(wkb.selectExpr(*rest, f"{made} as place"), at("native.pmtiles"), force=True, progress=False,
                          **how, **NAMED)
        same(at("a.pmtiles"), at("native.pmtiles"), made)
    # Metres: the column declares the system, or an argument names it.
    metres = functions.udf(
        lambda x, y: bytearray(struct.pack("<BIdd", 1, 1, x, y)), "binary")(functions.expr("lon * 111319.49079327358"),
                                                                          functions.expr("lat * 100000"))
    flat = frame.withColumn("place", metres).drop("lon", "lat").localCheckpoint()
    covey_spark.build(flat, at("by-hand.pmtiles"), progress=False, wkb="place", crs="EPSG:3857", **NAMED)
    covey_spark.build(flat.selectExpr(*rest, "st_geomfromwkb(place, 3857) as place"), at("by-type.pmtiles"),
                      progress=False, **NAMED)
    same(at("by-hand.pmtiles"), at("by-type.pmtiles"), "geometries in metres")
    odd = frame.selectExpr("*", "array(1) as tags", "map('a', 1) as `a map`", "named_struct('x', 1) as inner",
                           "parse_json('{}') as loose", "interval 2 month as age", "interval 1 day as wait")
    report = covey_spark.build(odd, at("odd.pmtiles"), progress=False, **NAMED)
    same(at("a.pmtiles"), at("odd.pmtiles"), "columns that no attribute can hold")
    for name, words in [("tags", "to_json(tags)"), ("a map", "map<string,int>"), ("inner", "struct"),
                        ("loose", "variant"), ("age", "cast(age as string)"), ("wait", "interval day")]:
        if not any(f"column {name} is left out" in note and words in note for note in report.notes):
            fail(f"column {name} is left out without a note: {report.notes}")
    # Names that Spark misreads.
    spelled = [("name", "a.b `c`"), ("value", "Value"), ("stars", "value")]
    others = frame.selectExpr("lon as `x.x`", "lat as `y`", *(f"{old} as `{new.replace('`', '``')}`" for old, new in spelled))
    report = covey_spark.build(others, at("spelled.pmtiles"), progress=False, lon="x.x", lat="y", filter=["has", "Value"])
    shown = covey.run(["inspect", at("spelled.pmtiles"), "--json"])
    if not all(f'"{new}": ' in shown for _, new in spelled) or " left out: " not in str(report) or "out left" in str(report):
        fail(f"columns of odd names are gone, or {report}")
    # A source that begins with - is no option; a time becomes a text.
    covey_spark.build(frame.withColumn("at", functions.expr("if(open, time'12:34:56.5', time'00:00:00')")), at("timed.pmtiles"), progress=False,
                      source="-x", **OPTIONS)
    shown = covey.run(["inspect", at("timed.pmtiles"), "--json"])
    for words in ['"12:34:56.5"', '"00:00:00"', r'\"sources\":[\"-x\"]']:
        if words not in shown:
            fail(f"an archive of times from -x has no {words}")
    two = wkb.selectExpr("st_geogfromwkb(place) as a", "st_geomfromwkb(place, 0) as b")
    nowhere = at("no.pmtiles")
    refused("two columns of geometries", ["wkb=", "a, b"], lambda: covey_spark.build(two, nowhere, progress=False))
    refused("any coordinate system", ["st_setsrid(place"], lambda: covey_spark.build(
        wkb.selectExpr("cast(st_geomfromwkb(place, 0) as geometry(any)) as place"), nowhere, progress=False))
    refused("geometries in an array", ["wkb='tags'", "array<int>", "to_json(tags)"],
            lambda: covey_spark.build(odd, nowhere, wkb="tags", progress=False))


def check_early(spark, frame):
    """Errors in schema and arguments are raised before any task runs."""
    started = frame.withColumn("lon", functions.udf(lambda lon: 1 / 0, "double")("lon"))
    nowhere = at("no.pmtiles")
    refused("a column that is none", ["lon='lo'", "stars"],
            lambda: covey_spark.build(started, nowhere, lon="lo", lat="lat", progress=False))
    refused("no columns of places", ["lon", "lat"],
            lambda: covey_spark.build(started.drop("lat"), nowhere, progress=False))
    refused("an aggregate of no kind", ["aggregates"],
            lambda: covey_spark.build(started, nowhere, aggregates={"a": "summ:value"}, progress=False))
    for option, words in [("aggregates", {"a": "sum:nope"}), ("id", "nope"), ("inherit", ["nope"]), ("facet", "nope"),
                          ("weight", "nope")]:
        refused(f"{option} of no column", [option, 'no point has "nope"'],
                lambda: covey_spark.build(started, nowhere, progress=False, **{option: words}))
    for option, value, words in [("cell_zoom", 40, "cell_zoom=40"), ("cell_margin", -1, "cell_margin=-1"),
                                 ("task_memory", "4Q", "task_memory 4Q")]:
        refused(f"a {option} that is none", [words],
                lambda: covey_spark.build(started, nowhere, progress=False, **{option: value}))
    for what, words, given in [("pandas", "pandas.DataFrame", frame.limit(3).toPandas()),
                               ("Arrow", "pyarrow.Table", pa.table({"lon": [1.0]}))]:
        raises("covey.build", TypeError, lambda: covey_spark.build(given, nowhere, progress=False))
        raises(words, TypeError, lambda: covey_spark.build(given, nowhere, progress=False))
        print(f"check_spark: a table of {what} is refused with advice")
    for tasks in (0, -1, 2.5, True):
        raises("whole number", ValueError, lambda: covey_spark.build(started, nowhere, tasks=tasks, progress=False))
    raises("True, False", TypeError, lambda: covey_spark.build(started, nowhere, progress="yes"))
    for empty in ({"job": ""}, {"out": ""}):
        raises("is empty", ValueError,
             lambda: covey_spark.build(started, **{"out": nowhere, "progress": False, **empty}))
    raises("command line", TypeError, lambda: covey_spark.build(started, nowhere, help=True, progress=False))
    raises("not a list", TypeError, lambda: covey_spark.build(started, nowhere, recipe=[1], progress=False))
    refused("a recipe that is none", ["the dict is no recipe"],
            lambda: covey_spark.build(started, nowhere, recipe={"type": "Feature"}, progress=False))
    with open(at("recipe.txt"), "w") as file:
        file.write('{"layers": []}')
    refused("a recipe of another name", ["recipe.txt is no recipe", ".json"],
            lambda: covey_spark.build(started, nowhere, recipe=at("recipe.txt"), progress=False))
    refused("a job in a file", ["recipe.txt: File exists"],
            lambda: covey_spark.build(started, nowhere, job=at("recipe.txt"), progress=False))
    raises("no table", ValueError, lambda: covey_spark.build({}, nowhere))


def raises(words, kind, work):
    """Fails unless the work raises an error of this kind whose message has these words."""
    try:
        work()
    except kind as error:
        if words in str(error):
            return
        fail(f"“{error}” does not say “{words}”")
    fail(f"not refused: {words}")


def check_log():
    """A line is logged once, by the handlers that the user sets up."""
    def printed(work):
        with contextlib.redirect_stderr(io.StringIO()) as text:
            work()
        return text.getvalue()

    def twice():
        covey_spark.cluster.log_line("one")
        handler = logging.StreamHandler(sys.stderr)
        logging.getLogger().addHandler(handler)
        covey_spark.cluster.log_line("two")
        logging.getLogger().removeHandler(handler)
    log = logging.getLogger("covey_spark")
    if printed(twice) != "covey: one\ntwo\n" or log.handlers:
        fail(f"the log has “{printed(twice)}”, from {log.handlers}")
    log.setLevel(logging.ERROR)
    if printed(lambda: covey_spark.cluster.log_line("no")):
        fail("a line below the log's level was printed")
    log.setLevel(logging.NOTSET)


def check_shares():
    """There are no more shares than tasks, and each cell is in one share."""
    chosen = random.Random(5)
    for _ in range(200):
        cells = [[f"{i}", chosen.choice([0, 1, 10, chosen.randrange(10_000)])] for i in range(chosen.randrange(1, 90))]
        count = chosen.randrange(1, 40)
        found = covey_spark.cluster.shares(cells, count)
        if not 1 <= len(found) <= count or sorted(sum(found, [])) != sorted(name for name, _ in cells):
            fail(f"{len(found)} shares of {len(cells)} cells for {count} tasks")
        weights = [sum(points + 1 for name, points in cells if name in share) for share in found]
        most = sum(points + 1 for _, points in cells) / count + max(points + 1 for _, points in cells)
        if weights != sorted(weights, reverse=True) or weights[0] > most:
            fail(f"shares weigh {weights}")


def check_pieces():
    """Pieces have each byte of an archive once, and S3 takes the parts, however large an archive is."""
    chosen, outputs = random.Random(6), covey_spark.outputs
    for _ in range(300):
        sizes = [chosen.randrange(1, 10 ** chosen.randrange(1, 14)) for _ in range(chosen.randrange(1, 3))]
        count = chosen.randrange(1, 2000)
        part = outputs.part_length(sizes, count)
        found, offset = outputs.pieces(sizes, part, count), 0
        for piece in found:
            length = piece["end"] - piece["start"]
            if piece["offset"] != offset or length < 1 or piece["start"] % part \
                    or length > max(outputs.MAX_PIECE, part) + part \
                    or length % part and piece["end"] != sizes[piece["file"]]:
                fail(f"{piece} of {sizes} in parts of {part}")
            offset += length
        if offset != sum(sizes) or part < 8 << 20 or part > 5 << 30 or max(sizes) > 10_000 * part:
            fail(f"{sizes} in parts of {part}, {len(found)} pieces")
    print("check_spark: archives of all sizes are cut into parts")


def check_open():
    """Files that are fetched, from objects of their own or from packs, have the right bytes, and none stays open."""
    store, open_files = covey_spark.store, lambda: len(os.listdir("/proc/self/fd"))
    names = [f"a/{number}" for number in range(700)]
    os.makedirs(at("many/a"))
    for name in names:
        with open(at(f"many/{name}"), "w", encoding="ascii") as file:
            file.write(name * 50)
    folder = store.StoredFolder("many", pyarrow.fs.LocalFileSystem(), at("many"))
    for first, last in [(0, 200), (200, 350), (350, 351)]:
        folder.objects().put_pack([(name, at(f"many/{name}"), [(1, 7)]) for name in names[first:last]])
        for name in names[first:last]:
            os.remove(at(f"many/{name}"))
    before = open_files()
    with folder.open() as files:
        files.refresh()
        if sorted(files.sizes) != sorted(names):
            fail("the files in packs are not found in a store")
        files.fetch([[name, 3, 20] for name in names])
        files.fetch([[name] for name in names[::2]])
        for number, name in enumerate(names):
            with open(files.at(name), encoding="ascii") as file:
                found, wanted = file.read(), name * 50
            if found[3:23] != wanted[3:23] or number % 2 == 0 and found != wanted:
                fail(f"{name} has other bytes after it was fetched")
    if open_files() > before:
        fail("files of a store stay open")


def check_broken_connections():
    """A request whose connection breaks continues where it stopped. If each attempt breaks, the error names the object."""
    import botocore.exceptions

    class Body:
        def __init__(self, bytes):
            self.bytes = bytes

        def iter_chunks(self, _):
            yield self.bytes[:10]
            if len(self.bytes) > 10:
                raise botocore.exceptions.ReadTimeoutError(endpoint_url="there")

    class Client:
        def get_object(self, Bucket, Key, Range):
            requested.append(Range)
            start, end = map(int, Range.removeprefix("bytes=").split("-"))
            return {"Body": Body((b"%s/%s" % (Bucket.encode(), Key.encode()) * 20)[start:end + 1])}

    requested, stored = [], covey_spark.objects.S3Objects("s3://there/job", None, "there/job", Client())
    if b"".join(stored.read("a", 3, 38)) != (b"there/job/a" * 20)[3:38]:
        fail("a request whose connection broke did not continue")
    if requested != ["bytes=3-37", "bytes=13-37", "bytes=23-37", "bytes=33-37"]:
        fail(f"a request whose connection broke became {requested}")
    try:
        fail(f"a store whose connections break gave {list(stored.read('a', 3, 200))}")
    except covey_spark.objects.StoreError as error:
        if "s3://there/job/a" not in str(error):
            fail(f"“{error}” does not name the object")
    print("check_spark: requests whose connections break are made again")


def check_recipe(spark, frame):
    recipe = {"layers": [
        {"name": "all", "sources": [at("points.arrow")], "clusters": {"radius": 60}},
        {"name": "open", "sources": [at("points.arrow")], "filter": ["==", ["get", "open"], True],
         "clusters": {"radius": 30, "groupBy": "stars"}},
    ], "tiles": {"maxZoom": 6}}
    with open(at("recipe.json"), "w") as file:
        json.dump(recipe, file)
    covey.build(None, at("recipe.pmtiles"), recipe=at("recipe.json"))
    covey_spark.build({"all": frame, "open": frame.repartition(3)}, at("spark-recipe.pmtiles"), cell_zoom=1,
                      recipe=recipe, progress=False)
    same(at("recipe.pmtiles"), at("spark-recipe.pmtiles"), "a recipe of two layers")


def check_errors(spark, frame):
    bad = frame.limit(50).union(frame.limit(1).withColumn("lat", functions.lit(95.0)))
    refused("a bad record", ["partition 0 of points", "row 51", "95"],
            lambda: covey_spark.build(bad.coalesce(1), at("bad.pmtiles"), progress=False, **OPTIONS))
    report = covey_spark.build(bad.coalesce(1), at("bad.pmtiles"), skip_invalid=True, progress=False, **OPTIONS)
    if report.bad_records != 1 or "95" not in report.samples[0] or report.counters["bad_records"] != 1:
        fail(f"a bad record was not counted and sampled: {report}")
    refused("an option that is none", ["cluster_radus"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), cluster_radus=4, progress=False))
    refused("an archive in a folder that is none", ["nowhere", "no folder"],
            lambda: covey_spark.build(frame, at("nowhere/a.pmtiles"), progress=False))
    refused("an archive that is there", ["force"],
            lambda: covey_spark.build(frame, at("a.pmtiles"), progress=False))
    refused("an archive of no kind", [".pmtiles"], lambda: covey_spark.build(frame, at("no.geojson"), progress=False))
    refused("a recipe that is not there", ["no.json", "no such file"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), recipe=at("no.json"), progress=False))
    refused("a column of geometries that is none", ["wkb='name'", "binary"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), wkb="name", progress=False))
    refused("groups of no column", ["group_by='starz'", "stars"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), group_by="starz", progress=False))
    refused("an option of other commands", ["quiet"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), quiet=True, progress=False))

    def appear(stage, done, total):
        with open(at("late.pmtiles"), "w") as file:
            file.write("mine")
    refused("an archive that appears meanwhile", ["late.pmtiles", "force"],
            lambda: covey_spark.build(frame, at("late.pmtiles"), progress=appear, **OPTIONS))
    two = covey_spark.build(frame.selectExpr("lon", "lat", "array(1) as Stars", "stars"), at("two.pmtiles"), progress=False)
    if "stars" not in subprocess.run([os.environ["COVEY"], "inspect", at("two.pmtiles")], capture_output=True, text=True).stdout:
        fail(f"a column is gone because another is left out: {two.notes}")
    # A file with the ELF header of arm64.
    with open(at("arm64"), "wb") as file:
        file.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HH", 2, 183) + bytes(44))
    os.chmod(at("arm64"), 0o755)
    refused("a program for another machine", ["another kind of machine", "binary="],
            lambda: covey_spark.build(frame, at("no.pmtiles"), binary=at("arm64"), progress=False))
    refused("a program that is not there", [at("none"), "binary="],
            lambda: covey_spark.build(frame, at("no.pmtiles"), binary=at("none"), progress=False))
    refused("cells too heavy for a task", ["MiB", "task"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), task_memory="160M", progress=False, **OPTIONS))


def check_notes(spark, frame):
    """Equal notes of partitions become one note, with the sum of their numbers."""
    odd = frame.selectExpr("if(total % 9 = 0, null, lon) AS lon", "if(total % 9 = 0, null, lat) AS lat", "if(total % 5 = 0, -1, total) AS total",
                           "cast('x' AS binary) AS bytes2").repartition(5)
    report = covey_spark.build(odd, at("odd.pmtiles"), id="total", exclude=["nope"], force=True, progress=False)
    blank, ids = (odd.filter(words).count() for words in ["lon IS NULL", "total < 0 AND lon IS NOT NULL"])
    expected = [f"points: left out {blank} rows without coordinates", "left out the binary values of “bytes2”",
                "exclude: no record has an attribute nope", f"points: total of {ids} rows is no whole number"]
    if len(report.notes) != len(expected) or not all(any(words in note for note in report.notes) for words in expected):
        fail(f"the notes of partitions are {report.notes}, not {expected}")
    note = "partition {} of a: an attribute region of its own gives way to the region that points lie in, of {}; leaves it out"
    for counts in ([1], [1, 2], [40, 2, 3]):
        notes = [each for number, count in enumerate(counts) for each in [
            f"partition {number} of a: left out {count} row{'s' * (count > 1)} without coordinates", note.format(number, count)]]
        total = sum(counts)
        merged = covey_spark.report.merge_notes(notes)
        if merged != [f"a: left out {total} row{'s' * (total > 1)} without coordinates",
                      note.format(0, total).replace("partition 0 of ", "")]:
            fail(f"the notes {notes} became {merged}")
    print("check_spark: equal notes of partitions become one")


def check_spark_errors(spark, frame):
    """An error of Spark itself has a short message, and Spark's error as its cause."""
    def broken(value):
        raise KeyError(f"no {value > 9}")

    def refused_by_spark(what, words, made):
        def work():
            try:
                covey_spark.build(made, at("no.pmtiles"), progress=False)
            except covey.CoveyError as error:
                if not isinstance(error.__cause__, covey_spark.cluster.SPARK_ERRORS) or len(str(error).splitlines()) > 4:
                    fail(f"{what}: has a stack trace of Java, or no cause: {error}")
                raise
        refused(what, words, work)

    refused_by_spark("a function that raises", ["read: a Python worker raised KeyError: 'no False'"],
                     frame.withColumn("value", functions.udf(broken, "double")("value")))
    refused_by_spark("a cast that fails", ["read: [CAST_INVALID_INPUT]"],
                     frame.withColumn("value", functions.expr("cast(name as int)")))
    parquet.write_table(table(100, seed=4), at("gone.parquet"))
    gone = spark.read.parquet(at("gone.parquet"))
    os.remove(at("gone.parquet"))
    refused_by_spark("a file that is gone", ["read: ", "gone.parquet"], gone)
    frame.limit(9).write.saveAsTable("gone")
    gone = spark.table("gone")
    spark.sql("drop table gone")
    refused_by_spark("a table that is gone", ["Spark: ", "gone does not exist"], gone)
    if covey_spark.__main__.main(["--from-table", "gone", "-o", at("no.pmtiles")]) != 1:
        fail("a table that is none ended with success")


def check_jobs(spark, frame):
    job = at("job")
    covey_spark.build(frame, at("job.pmtiles"), job=job, cell_zoom=2, progress=False, **NAMED)
    for path in covey_spark.store.archive_files(at("job.pmtiles")):
        os.remove(path)
    lost = random.Random(3).sample(sorted(glob.glob(job + "/*/tiles/*")), 5)
    for path in lost:
        os.remove(path)
    report = covey_spark.build(frame, at("job.pmtiles"), job="file://" + job, cell_zoom=2, progress=False, **NAMED)
    same(at("a.pmtiles"), at("job.pmtiles"), "a job that continued")
    if report.counters["points"] or "read" in report.seconds:
        fail("a job that continued read its points again")
    if report.points != frame.count() or report.records != report.points:
        fail(f"a job that continued reports {report.points} points of {frame.count()}")
    invalid = frame.withColumn("lat", functions.expr("if(value > 4.99, 95, lat)"))
    invalid.coalesce(3).write.parquet(at("invalid"))
    reports = [covey_spark.build(spark.read.parquet(at("invalid")), at("invalid.pmtiles"), job=at("invalid-job"), cell_zoom=2,
                                 skip_invalid=True, force=True, progress=False) for _ in range(2)]
    if "read" in reports[1].seconds or not reports[1].bad_records or any(
            getattr(reports[0], name) != getattr(reports[1], name) for name in ("points", "records", "rejected", "samples", "notes")):
        fail(f"a job that continued reports other counts: {reports[0]}, then {reports[1]}")
    refused("a job of other options", ["other options: ", "layers[0].clusters.radius was 40 and is 41",
                                       'tiles was {"maxZoom": 9} and is not given'],
            lambda: covey_spark.build(frame, at("no.pmtiles"), job=job, progress=False,
                                      **{**NAMED, "radius": 41, "max_zoom": None}))
    differences = covey_spark.recipes.differences
    for then, now, words in [({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": []}]}, ["a[1].c was not given and is []"]),
                             ({"a": [1]}, {"a": [1, 2]}, ["a was [1] and is [1, 2]"]), ({"a": "x"}, {"a": "x"}, []),
                             ({"a": "s3://key@b"}, {"a": "x" * 99}, ['a was an address and is "' + "x" * 59 + "…"])]:
        if differences(then, now) != words:
            fail(f"{then} and {now} differ: {differences(then, now)}")
    check_replaced(spark, at("replaced"), lambda: os.listdir(at("replaced/parts")))
    refused("a job of another query", [job, "other points", "query"],
            lambda: covey_spark.build(frame.filter("lat > 0"), at("no.pmtiles"), job=job, cell_zoom=2, progress=False,
                                      **NAMED))
    # The error of a damaged file names the cell.
    shutil.rmtree(glob.glob(job + "/*/cluster")[0])
    part = sorted(glob.glob(job + "/parts/0-*[0-9a-f]"))[0]
    with open(part, "r+b") as file:
        file.seek(os.path.getsize(part) // 2)
        file.write(b"damage")
    refused("a damaged part", ["cell ", part, "damaged"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), job=job, cell_zoom=2, progress=False, **NAMED))


def check_replaced(spark, job, parts, **options):
    """A job that failed before it had a plan is replaced by one with other options, and leaves no files."""
    bad = spark.read.parquet(at("invalid")).repartition(2)
    refused("a bad record of a job", ["read: "],
            lambda: covey_spark.build(bad, at("replaced.pmtiles"), job=job, cell_zoom=2, force=True, progress=False,
                                      **options, **NAMED))
    good = {**NAMED, **options, "job": job, "progress": False, "skip_invalid": True, "force": True}
    covey_spark.build(bad, at("replaced.pmtiles"), **good)
    before = parts()
    covey_spark.build(bad, at("expected.pmtiles"), progress=False, force=True, skip_invalid=True, **{**NAMED, "radius": 41})
    covey_spark.build(bad, at("replaced.pmtiles"), in_cells=True, **{**good, "radius": 41})
    same(at("expected.pmtiles"), at("replaced.pmtiles"), "a job in place of one without a plan")
    if len(parts()) > len(before):
        fail(f"parts are left of a job that was replaced: {before}, {parts()}")


def check_same_points(spark, frame):
    """A job continues only with the points that it began with."""
    def build(table, job, **options):
        return covey_spark.build(table, at("same.pmtiles"), job=at(job), cell_zoom=1, force=True, progress=False,
                                 **options, **NAMED)

    # So many columns that Spark shortens the text of the query.
    wide = frame.select("*", *[functions.lit(n).alias(f"n{n}") for n in range(30)])
    wide.coalesce(2).write.parquet(at("rows"))
    build(spark.read.parquet(at("rows")), "rows-job")
    if "read" in build(spark.read.parquet(at("rows")), "rows-job").seconds:
        fail("a job of the same rows read them again")
    refused("other numbers far behind in a query", ["query"],
            lambda: build(spark.read.parquet(at("rows")).filter(functions.col("n29").isin(*range(40))), "rows-job"))
    wide.limit(1000).coalesce(1).write.mode("append").parquet(at("rows"))
    refused("a file more", [at("rows"), "is new"], lambda: build(spark.read.parquet(at("rows")), "rows-job"))
    parquet.write_table(table(2_000, seed=4), at("anew.parquet"))
    build(spark.read.parquet(at("anew.parquet")), "anew-job")
    parquet.write_table(table(2_000, seed=5), at("anew.parquet"))
    refused("a file that was written anew", ["anew.parquet", "was written anew"],
            lambda: build(spark.read.parquet(at("anew.parquet")), "anew-job"))
    check_hidden_sources(spark, build)
    for what, made, word in [("rows in memory", spark.createDataFrame(frame.limit(500).toPandas()), "no files"),
                             ("rows at random", frame.filter(functions.rand() > 0.9), "random"),
                             ("a function", frame.withColumn("n", functions.udf(lambda name: name)("name")), "function")]:
        job = what.replace(" ", "-")
        build(made, job)
        refused(f"{what}, once more", [word, "resume=True"], lambda: build(made, job))
        if "read" in build(made, job, resume=True).seconds:
            fail(f"{what}: the points were read again in spite of resume=True")


def check_hidden_sources(spark, build):
    """Files that `inputFiles` does not list, and options of reading."""
    def write(name, seed):
        os.makedirs(at("my rows"), exist_ok=True)
        parquet.write_table(table(2_000, seed=seed), at(f"my rows/{name} ü.parquet"))

    def read(name):
        return spark.read.parquet(at(f"my rows/{name} ü.parquet"))

    def limited():
        read("others").createOrReplaceTempView("others")
        return spark.sql("with a as (select * from points where value < (select max(value) from others)) "
                         "select * from a where lat < 0 union all select * from a where lat >= 0")
    write("points", 4)
    write("others", 4)
    read("points").createOrReplaceTempView("points")
    build(limited(), "limited-job")
    if "read" in build(limited(), "limited-job").seconds:
        fail("a job of the same query with a common table read its rows again")
    write("others", 5)
    refused("a file of a subquery that was written anew", ["others", "was written anew"],
            lambda: build(limited(), "limited-job"))
    cached = read("points").cache()
    build(cached, "cached-job")
    cached.unpersist()
    write("points", 6)
    refused("a file behind a cached table that was written anew", ["points", "was written anew"],
            lambda: build(read("points").cache(), "cached-job"))
    spark.catalog.clearCache()
    with open(at("lines.csv"), "w") as file:
        file.writelines(f"{lon},{lon % 60},{lon}\n" for lon in range(100))
    lines = spark.read.schema("lon double, lat double, value int")
    plain = {"job": at("lines-job"), "cell_zoom": 1, "force": True, "progress": False}
    covey_spark.build(lines.csv(at("lines.csv")), at("same.pmtiles"), **plain)
    refused("a file that is read with other options", ["other options"], lambda: covey_spark.build(
        lines.option("header", True).csv(at("lines.csv")), at("same.pmtiles"), **plain))


def check_threads(spark, frame):
    """Two builds at once, each with its own progress; the rows in front of a shuffle are computed once."""
    progress, made = {}, {}
    rows = spark.sparkContext.accumulator(0)

    def counted(batches):
        for batch in batches:
            rows.add(batch.num_rows)
            yield batch

    def build(name):
        seen = progress.setdefault(name, [])
        # The rows that are counted are computed in front of a shuffle.
        counting = frame.mapInArrow(counted, frame.schema).repartition(3, "value")
        made[name] = covey_spark.build(counting, at(name), cell_zoom=1, progress=lambda *words: seen.append(words),
                                       **NAMED)

    threads = [threading.Thread(target=build, args=[f"thread-{n}.pmtiles"]) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(made) != 2:
        fail("of two builds in threads one failed")
    for name in made:
        same(at("a.pmtiles"), at(name), f"{name}, beside another build")
        if any(done > total > 0 for _, done, total in progress[name]):
            fail(f"progress counts another build's tasks: {progress[name]}")
    if rows.value != 2 * frame.count():
        fail(f"two builds of {frame.count()} rows computed {rows.value}")


def check_interrupt(spark, frame):
    """An interrupt ends the tasks that run for a build."""
    def slow(batches):
        for batch in batches:
            time.sleep(60)
            yield batch

    timer = threading.Timer(8, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        covey_spark.build(frame.mapInArrow(slow, frame.schema), at("no.pmtiles"), progress=False, **NAMED)
        fail("an interrupted build ended with success")
    except KeyboardInterrupt:
        pass
    tracker = spark.sparkContext.statusTracker()
    for _ in range(100):
        if not tracker.getActiveStageIds():
            print("check_spark: an interrupt ends the stages of a build")
            return
        time.sleep(0.1)
    fail("the stages of an interrupted build go on")


def check_store(spark, frame):
    """An archive at an address that only Hadoop supports: here, local files under another scheme."""
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    conf.set("fs.viewfs.mounttable.store.link./maps", "file://" + WORK)
    covey_spark.build(frame, "viewfs://store/maps/store.pmtiles", progress=False, **NAMED)
    same(at("a.pmtiles"), at("store.pmtiles"), "an archive in a store of Hadoop's")
    refused("an archive that is in the store", ["store.pmtiles", "exists already"],
            lambda: covey_spark.build(frame, "viewfs://store/maps/store.pmtiles", progress=False, **NAMED))


def check_objects(spark, frame):
    """A job in a store, and its archive in the same store."""
    store = Objects()
    store.configure(spark)
    job, out, objects = "s3a://maps/jobs/places", "s3a://maps/out/places.pmtiles", "maps/jobs/places"

    def build(**options):
        # So few points would have one task.
        return covey_spark.build(frame.repartition(6), out, job=job, cell_zoom=2, tasks=6, progress=False,
                                 **{**NAMED, **options})

    def fetched(what):
        for name in ["places.pmtiles", "places.clusters.pmtiles"]:
            store.fetch(f"maps/out/{name}", at(name))
        same(at("a.pmtiles"), at("places.pmtiles"), what)

    report = build()
    fetched(f"a job of {len(store.names('maps/jobs'))} objects, {report.cells} cells")
    if "gather" not in report.seconds:
        fail("six parts that are objects were not gathered")
    refused("an archive that is in the store", [out, "exists already"], build)
    packs = [pack for pack, files in store.files(objects).items() if any("/tiles/" in name for name in files)
             and not any(name.endswith("top/clusters") for name in files)]
    for pack in random.Random(3).sample(packs, 2):
        store.remove(f"{objects}/{pack}")
    report = build(force=True)
    fetched("a job of objects that continued")
    if report.counters["points"] or "read" in report.seconds:
        fail("a job of objects that continued read its points again")
    # In one piece. The archive is removed from the job, and so is one that an earlier build left there.
    with open(at("left"), "w", encoding="ascii") as file:
        file.write("of other points")
    covey_spark.objects.Objects("", store.system, "maps/jobs/whole").put_pack([("archive/places.pmtiles", at("left"), ())])
    covey_spark.build(frame, out, job="s3a://maps/jobs/whole", force=True, progress=False, **NAMED)
    fetched("a job of objects in one piece")
    left = [name for files in store.files("maps/jobs/whole").values() for name in files]
    if [name for name in left if name.startswith("archive/")]:
        fail(f"an archive is left in the job: {left}")
    check_replaced(spark, "s3a://maps/jobs/replaced", lambda: [
        name for files in store.files("maps/jobs/replaced").values() for name in files if name.startswith("parts/")])
    refused("a job of objects with other options", [job, "other options"], lambda: build(radius=41, force=True))
    # The errors of a damaged file and of a damaged object name their addresses.
    for pack, files in store.files(objects).items():
        if any("/cluster/" in name for name in files):
            store.remove(f"{objects}/{pack}")
        for name, (start, size) in files.items():
            if name.startswith("parts/") and not name.endswith(".head"):
                store.damage(f"{objects}/{pack}", start, size)
    refused("a damaged file", ["cell ", "s3a://maps/jobs/places/parts/", "damaged"], lambda: build(force=True))
    pack = next(pack for pack in store.files(objects) if pack.startswith("packs/"))
    store.damage(f"{objects}/{pack}", 0, store.system.get_file_info(f"{objects}/{pack}").size)
    refused("a damaged object", [f"s3a://{objects}/{pack}", "damaged"], lambda: build(force=True))
    refused("a bucket that is none", ["s3a://nowhere/jobs/recipe.json", "nowhere"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), job="s3a://nowhere/jobs", progress=False, **NAMED))
    refused("a store of no kind", ["ftp://maps/jobs", "s3a"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), job="ftp://maps/jobs", progress=False, **NAMED))
    store.lock()
    refused("wrong keys", ["s3a://maps/jobs/places", "ACCESS"],
            lambda: covey_spark.build(frame, at("no.pmtiles"), job=job, progress=False, **NAMED))
    store.end()


def check_merge(spark, frame):
    """Tasks write the archive to files, or upload parts. If they cannot, the driver merges and adds a note. If a build
    fails, it leaves no files."""
    store, job, out = Objects(), at("merge-job"), "s3://maps/out/places.pmtiles"
    outputs = covey_spark.outputs
    totals = []

    def build(where, **options):
        def progress(stage, done, total):
            if (stage, done) == ("merge", 0):
                totals.append(total)
        return covey_spark.build(frame, where, **{"job": job, "cell_zoom": 2, "storage": store.storage,
                                                  "progress": progress, **NAMED, **options})

    def merged(what, where, words, expected, **options):
        totals.clear()
        report = build(where, force=True, **options)
        if where == out:
            for name in ["places.pmtiles", "places.clusters.pmtiles"]:
                store.fetch(f"maps/out/{name}", at(name))
        same(at("a.pmtiles"), at("places.pmtiles") if where == out else where, what)
        notes = [note for note in report.notes if "the driver merged alone" in note]
        if totals != expected or bool(notes) != bool(words) or not all(word in notes[0] for word in words) \
                or "merge" not in report.seconds or report.merged["tiles"] == 0:
            fail(f"{what}: merged by {totals} tasks, not {expected}: {report.notes}")
        nothing_left(what)

    def nothing_left(what):
        left = store.uploads() + [name for name in os.listdir(WORK) if name.startswith(".") and name.endswith(".part")]
        if left:
            fail(f"{what}: left behind {left}")

    shared = at("merged.pmtiles")
    merged("tasks write into a folder", shared, [], [3])
    merged("tasks upload parts", out, [], [3])
    refused("an archive in a folder that tasks wrote", ["merged.pmtiles", "exists already"], lambda: build(shared))

    def unable(self):
        raise outputs.TasksCannotWrite("a worker has another disk")

    # Spark sends the changed module to the workers.
    can, outputs.SharedFiles.check = outputs.SharedFiles.check, unable
    merged("workers that cannot write", shared, ["another disk"], [3, 1])
    outputs.SharedFiles.check = can
    sys.modules["botocore.session"], kept = None, sys.modules["botocore.session"]
    merged("a driver without boto3", out, ["boto3 is not installed"], [1])
    sys.modules["botocore.session"] = kept
    try:
        covey_spark.connections.botocore_connection(pa.fs.S3FileSystem(**store.storage, default_metadata={"ACL": "private"}))
        fail("an option that only Arrow knows was not refused")
    except outputs.TasksCannotWrite as reason:
        if "default_metadata" not in str(reason):
            fail(f"“{reason}” names no option")
    # Another archive appears during the build.
    def appears(stage, done, total):
        if stage == "merge":
            shutil.copy(at("a.pmtiles"), at("late.pmtiles"))
    refused("an archive that appeared meanwhile", ["late.pmtiles", "exists already"],
            lambda: build(at("late.pmtiles"), progress=appears))
    # Without clusters there is one file, and the clusters of an older archive are removed.
    covey.build(at("points.arrow"), at("alone.pmtiles"), layer="points", no_leaves=True, force=True, **OPTIONS)
    for where in [shared, out]:
        build(where, force=True, no_leaves=True, job=at("alone-job"))
    store.fetch("maps/out/places.pmtiles", at("places.pmtiles"))
    os.remove(at("places.clusters.pmtiles"))
    for name in ["merged.pmtiles", "places.pmtiles"]:
        if not filecmp.cmp(at("alone.pmtiles"), at(name), shallow=False) or os.path.exists(at("merged.clusters.pmtiles")):
            fail(f"without leaves: {name}: other bytes than covey build")
    if store.names("maps/out") != ["maps/out/places.pmtiles"]:
        fail(f"clusters of another archive are left: {store.names('maps/out')}")
    nothing_left("an archive without clusters")
    # A build that fails leaves no files.
    store.remove("maps/out/places.pmtiles")
    complete = outputs.Uploads.complete

    def fails(self, written):
        """Completes the clusters, and not the archive."""
        complete(self, [each if each["file"] else {**each, "parts": [[number, "no sum"] for number, _ in each["parts"]]}
                        for each in written])
    outputs.Uploads.complete = fails
    refused("an upload that cannot be completed", [out, "InvalidPart"], lambda: build(out))
    outputs.Uploads.complete = complete
    nothing_left("an upload that cannot be completed")
    if store.names("maps/out"):
        fail(f"clusters without their archive are left: {store.names('maps/out')}")
    for path in glob.glob(at("merge-job/*/tiles/top")):
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(b"damaged")
    for where in [out, at("damaged.pmtiles")]:
        refused("damaged tiles", ["merge: bytes ", "tiles/top"], lambda: build(where))
    nothing_left("a failure")
    if store.names("maps/out") or glob.glob(at("damaged*")):
        fail(f"a failure left an archive: {store.names('maps/out')}")
    store.end()


def check_memory(spark, frame):
    report = covey_spark.build(frame, at("small.pmtiles"), task_memory="161M", progress=False, **NAMED)
    same(at("a.pmtiles"), at("small.pmtiles"), f"{report.cells} cells cut again for little memory")
    if report.cells < 20:
        fail(f"cells were not cut again: {report.cells}")


def check_tables(spark, frame):
    """Tables of the catalog, by name and by query."""
    frame.repartition(3).write.saveAsTable("places")
    covey_spark.build(spark.table("places"), at("table.pmtiles"), progress=False, **NAMED)
    same(at("a.pmtiles"), at("table.pmtiles"), "a saved table")
    # The source's name is that of the table.
    os.makedirs(at("as"), exist_ok=True)
    shutil.copy(at("points.arrow"), at("as/table"))
    covey.build(at("as/table"), at("as-table.pmtiles"), layer="points", **OPTIONS)
    for words in [["--from-table", "places"], ["--from-sql", "SELECT * FROM places WHERE lon IS NOT NULL"]]:
        main = ["-o", at("from.pmtiles"), "--force", "--quiet", *words, *covey.arguments(OPTIONS)]
        if covey_spark.__main__.main(main):
            fail(f"{words[0]} ended without success")
        same(at("as-table.pmtiles"), at("from.pmtiles"), words[0])


def check_entry_refusals():
    """Errors in the command line are printed in one sentence, before anything is read."""
    for words, wanted in [
            (["--read-option", "header"], "should be NAME=VALUE, and is header"),
            (["--storage", "=x"], "should be NAME=VALUE, and is =x"),
            (["--tasks", "0"], "a whole number from 1 on"),
            (["--report", at("none/report.json")], "its folder is not there")]:
        line = [at("points.parquet"), "-o", at("never.pmtiles"), "--layer", "points", *words]
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            try:
                code = covey_spark.__main__.main(line)
            except SystemExit as end:
                code = end.code
        if not code or wanted not in errors.getvalue():
            fail(f"{words}: {code} {errors.getvalue()[-800:]}")


def check_entry():
    done = subprocess.run(
        [os.path.join(os.path.dirname(pyspark.__file__), "bin/spark-submit"), "--master", "local[2]",
         "--conf", "spark.sql.session.timeZone=UTC", "--conf", "spark.driver.host=127.0.0.1",
         "--conf", "spark.driver.bindAddress=127.0.0.1", "--conf", "spark.ui.enabled=false",
         os.path.join(covey_spark.__path__[0], "__main__.py"), at("points.parquet"), "-o", at("entry.pmtiles"), "--layer", "points",
         "--cluster-radius", "40", "--max-zoom", "9", "--name", "Places", "--aggregate", "sum=sum:value",
         "--aggregate", "mean=mean:stars", "--aggregate", "kinds=distinct:stars", "--aggregate", "first=first:name",
         "--inherit", "name", "--read-option", "mergeSchema=false"],
        env={**os.environ, "PYSPARK_DRIVER_PYTHON": sys.executable},
        capture_output=True, text=True)
    if done.returncode:
        fail(f"spark-submit: {done.stderr[-2000:]}")
    if "whole: " not in done.stdout + done.stderr:
        fail("spark-submit prints no progress")
    os.makedirs(at("as"), exist_ok=True)
    shutil.copy(at("points.arrow"), at("as/points.parquet"))
    covey.build(at("as/points.parquet"), at("as.pmtiles"), layer="points", **OPTIONS)
    same(at("as.pmtiles"), at("entry.pmtiles"), "spark-submit")


def main():
    points = table(30_000, seed=1)
    parquet.write_table(points, at("points.parquet"), row_group_size=5_000)
    write_arrow(points, at("points.arrow"))
    spark = start()
    frame = spark.read.parquet(at("points.parquet"))
    for check in [check_lists, check_log, check_shares, check_pieces, check_open, check_broken_connections, check_entry_refusals]:
        check()
    for check in [check_bytes, check_gather, check_wkb, check_recipe, check_types, check_early, check_errors, check_notes,
                  check_spark_errors, check_jobs, check_same_points, check_threads, check_memory, check_store, check_objects,
                  check_merge, check_tables,
                  # Last, as Spark's driver loses its connection by it.
                  check_interrupt]:
        begun = time.monotonic()
        check(spark, frame)
        print(f"check_spark: {check.__name__} took {time.monotonic() - begun:.0f} s", flush=True)
    spark.stop()
    check_entry()


main()
