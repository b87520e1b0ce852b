"""Builds with boxes and filters from GeoParquet files with and without statistics of their row groups. Archives and
counts must be the same, and row groups without matching points must not be read.

    check_boxes.py COVEY
"""

import json
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

COVEY = str(Path(sys.argv[1]).resolve())
GROUP, COUNT = 500, 10_000
random.seed(41)


def rows():
    """Points sorted by longitude, so that row groups are stripes; a few have no position."""
    found = sorted((random.uniform(-180, 180), random.uniform(-80, 80)) for _ in range(COUNT))
    found[0], found[-1] = (-180.0, 5.0), (180.0, 6.0)
    return [None if row in (700, 7_701) else place for row, place in enumerate(found)]


PLACES = rows()
NUMBERS = {"n": pa.array(range(COUNT)), "half": pa.array([row / 2 for row in range(COUNT)], pa.float32()),
           "t": pa.array([None if row % 9 == 0 else f"k{row // 400:03}é" for row in range(COUNT)])}


def columns():
    return pa.table({"lon": pa.array([p and p[0] for p in PLACES]), "lat": pa.array([p and p[1] for p in PLACES]),
                     **NUMBERS})


def geometries(kind):
    """Adds the boxes of GeoParquet 1.1, with numbers of this type."""
    points = [p and struct.pack("<BIdd", 1, 1, *p) for p in PLACES]
    boxes = [p and {"xmin": p[0], "ymin": p[1], "xmax": p[0], "ymax": p[1]} for p in PLACES]
    box = pa.struct([(side, kind) for side in ("xmin", "ymin", "xmax", "ymax")])
    covering = {side: ["bbox", side] for side in ("xmin", "ymin", "xmax", "ymax")}
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {
        "encoding": "WKB", "geometry_types": ["Point"], "covering": {"bbox": covering}}}}
    table = pa.table({"geometry": pa.array(points), "bbox": pa.array(boxes, box), **NUMBERS})
    return table.replace_schema_metadata({"geo": json.dumps(geo)})


def build(path, *words):
    out = path.with_suffix(".pmtiles")
    run = subprocess.run(
        [COVEY, "build", path.name, "-o", out.name, "--force", "--json", "--layer", "p", "--name", "p", "--max-zoom", "4",
         *words], capture_output=True, text=True, cwd=path.parent)
    if run.returncode:
        return run.stderr, b""
    layer = json.loads(run.stdout)["layers"][0]
    return {key: layer[key] for key in ("records", "kept", "points", "rejected")}, out.read_bytes()


def inside(place, box):
    west, south, east, north = box
    x, y = place
    columns = [x] if abs(x) < 180 else [-180, 180]
    return south <= y <= north and any(
        (x >= west or x <= east) if west > east else west <= x <= east for x in columns)


def box():
    sides = [round(random.uniform(-180, 180), 3) for _ in range(2)]
    if random.random() < 0.7:
        sides.sort()
    south, north = sorted(round(random.uniform(-80, 80), 3) for _ in range(2))
    return [(sides[0], south, sides[1], north), (-180, south, -170, north), (170, south, 180, north)][
        random.choice([0, 0, 0, 1, 2])]


def check_equal(folder):
    files = {}
    for name, table in [("columns", columns()), ("doubles", geometries(pa.float64())),
                        ("floats", geometries(pa.float32()))]:
        for says in (True, False):
            # An archive has the names of its sources.
            path = folder / ("with" if says else "without") / f"{name}.parquet"
            path.parent.mkdir(exist_ok=True)
            pq.write_table(table, path, row_group_size=GROUP, write_statistics=says)
            files[name, says] = path
    for _ in range(8):
        wanted = box()
        text = ",".join(map(str, wanted))
        kept = sum(p is not None and inside(p, wanted) for p in PLACES)
        for name in ("columns", "doubles", "floats"):
            first, second = (build(files[name, says], f"--bbox={text}") for says in (True, False))
            assert first == second, (name, text, first[0], second[0])
            report = first[0]
            assert report["kept"] == kept and report["records"] == COUNT, (name, text, report, kept)
            assert kept + sum(report["rejected"].values()) == COUNT, (name, text, report)
    for text in FILTERS:
        for name in ("columns", "doubles"):
            first, second = (build(files[name, says], "--filter", text) for says in (True, False))
            assert first == second and first[1], (name, text, first[0], second[0])
        words = ("--filter", text, "--bbox=-170,-70,175,75")
        first, second = (build(files["floats", says], *words) for says in (True, False))
        assert first == second and first[1], (text, first[0], second[0])
    return files


FILTERS = [
    '[">=",["get","n"],7000]', '["<","half",800.5]', '["==",["get","t"],"k007é"]', '["in","t","k001é","k024é"]',
    '["all",[">",["get","n"],2500],["<=",["get","half"],1400],["==",["get","t"],"k006é"]]',
    '["in",["get","n"],["literal",[3,4000,9999]]]',
]


def check_unread(path):
    """Damaged row groups outside of the box do no harm; a damaged one inside is an error."""
    footer = pq.ParquetFile(path).metadata
    data = bytearray(path.read_bytes())
    for group in (2, 3, 4, 5):
        for column in range(footer.row_group(group).num_columns):
            chunk = footer.row_group(group).column(column)
            start = chunk.dictionary_page_offset or chunk.data_page_offset
            data[start:start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    broken = path.with_name("broken.parquet")
    broken.write_bytes(data)
    west = PLACES[6 * GROUP + 1][0]
    report, _ = build(broken, f"--bbox={west},-90,179,90")
    assert isinstance(report, dict) and report["records"] == COUNT, report
    report, _ = build(broken, f"--bbox={PLACES[5 * GROUP][0]},-90,179,90")
    assert isinstance(report, str) and "broken.parquet" in report, report
    report, _ = build(broken, "--filter", f'[">=",["get","n"],{6 * GROUP}]', "--skip-invalid")
    # The second row group has a row without a position, so it is read.
    assert isinstance(report, dict) and report["rejected"]["no_location"] == 2, report
    report, _ = build(broken, "--filter", f'[">=",["get","n"],{5 * GROUP}]')
    assert isinstance(report, str) and "broken.parquet" in report, report


def tiles(folder, source, *words):
    """The counts of the report and a checksum of all tiles, or the error."""
    run = subprocess.run(
        [COVEY, "build", source, "-o", "web.mbtiles", "--force", "--json", "--layer", "p", "--max-zoom", "4", *words],
        capture_output=True, text=True, cwd=folder)
    if run.returncode:
        return run.stderr
    with sqlite3.connect(folder / "web.mbtiles") as archive:
        total = archive.execute("SELECT value FROM metadata WHERE name = 'agg_tiles_hash'").fetchone()
    layer = json.loads(run.stdout)["layers"][0]
    return {key: layer[key] for key in ("records", "kept", "points", "rejected")}, total


def check_web(folder):
    """The same from a server that serves at most half of a file, and from one without range requests."""
    count = 200_000
    table = pa.table({"lon": [-180 + 360 * row / count for row in range(count)],
                      "lat": [random.uniform(-80, 80) for _ in range(count)],
                      "noise": [random.random() for _ in range(count)],
                      "more": [random.random() for _ in range(count)]})
    path = folder / "web.parquet"
    pq.write_table(table, path, row_group_size=20_000)
    script = Path(__file__).parent.parent / "range_server.py"
    server = subprocess.Popen([sys.executable, script, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        port = int(server.stdout.readline())
        words = ("--bbox=-100,-90,-60,90", "--include", "noise")
        here = tiles(folder, "web.parquet", *words)
        assert here[0]["records"] == count and here[0]["kept"] > 20_000 and here[1], here
        for way in ("sparing", "whole", "moved"):
            there = tiles(folder, f"http://127.0.0.1:{port}/{way}/web.parquet?a=b", *words)
            assert here == there, (way, here, there)
        report = tiles(folder, f"http://127.0.0.1:{port}/sparing/web.parquet")
        assert isinstance(report, str) and "429" in report, report
        report = tiles(folder, f"http://127.0.0.1:{port}/turning/web.parquet")
        assert isinstance(report, str) and "changed while it was read" in report, report
    finally:
        server.stdin.close()
        server.wait()


with tempfile.TemporaryDirectory() as name:
    files = check_equal(Path(name))
    check_web(Path(name))
    for kind in ("columns", "doubles", "floats"):
        check_unread(files[kind, True])
print("boxes and filters of GeoParquet: the same points with and without statistics, and nothing else is read")
