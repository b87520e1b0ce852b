"""Unusual values of all writers must be in the archive unchanged.

    check_odd_values.py COVEY
"""

import csv
import decimal
import io
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

COVEY = sys.argv[1]


def run(*words, data=None):
    done = subprocess.run([COVEY, *words], input=data, capture_output=True)
    if done.returncode:
        sys.exit(f"odd values: {words}: {done.stderr.decode()}")
    return done


def points(folder, path, *words, data=None):
    """The points of a file near 1.5, 0.5 by their longitudes, as CSV."""
    archive = folder / "archive.mbtiles"
    run("build", path, "-o", archive, "--force", "--quiet", "--max-zoom", "4", "--layer", "points", *words, data=data)
    found = json.loads(run("clusters", archive, "--containing", "1.5,0.5", "--zoom", "0", "--json").stdout)
    output = run("clusters", archive, str(found["id"]), "leaves", "--limit", "10000", "--csv").stdout.decode()
    return sorted(csv.DictReader(io.StringIO(output, newline="")), key=lambda row: float(row["longitude"]))


def table(**columns):
    count = len(next(iter(columns.values())))
    return pa.table({"lon": [1.4 + row / count / 5 for row in range(count)], "lat": [0.5] * count, **columns})


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"odd values: {what}: {found[:5]}… and not {wanted[:5]}…")


def texts(folder):
    odd = ["one\r\ntwo", "com,\u0301ma", 'a "\u0301 quote', "\r", "tail\n", "plain"]
    path = folder / "texts.parquet"
    pq.write_table(table(a=odd), path)
    check("texts as CSV", [row["a"] for row in points(folder, path)], odd)


def decimals(folder):
    drawn = random.Random(5)
    cents = [drawn.randint(-999_999, 999_999) for _ in range(300)]
    for precision, scale in ((9, 2), (38, 18), (38, 30), (76, 38)):
        kind = pa.decimal128(precision, scale) if precision < 39 else pa.decimal256(precision, scale)
        values = pa.array([decimal.Decimal(number).scaleb(-2) for number in cents], kind)
        for name, write in (("d.parquet", pq.write_table), ("d.arrow", pa.feather.write_feather)):
            write(table(a=values), folder / name)
            found = [float(row["a"]) for row in points(folder, folder / name)]
            check(f"decimals of scale {scale} in {name}", found, [number / 100 for number in cents])


def places_as_decimals(folder):
    """Statistics of decimals do not have the scale."""
    path = folder / "places.parquet"
    duckdb.sql(f"COPY (SELECT 1.40::DECIMAL(9,2) lon, 0.50::DECIMAL(9,2) lat, 1 a UNION ALL SELECT 1.6, 0.5, 2) TO '{path}'")
    found = points(folder, path, "--bbox", "1,0,2,1")
    check("places as decimals in a box", [row["a"] for row in found], ["1", "2"])


def times_without_end(folder):
    path = folder / "times.parquet"
    duckdb.sql(f"COPY (SELECT 1.4::DOUBLE lon, 0.5::DOUBLE lat, TIMESTAMP '-infinity' a"
               f" UNION ALL SELECT 1.6, 0.5, TIMESTAMP '2020-01-02 03:04:05') TO '{path}'")
    found = [row["a"] for row in points(folder, path)]
    check("times without end", found[1:], ["2020-01-02T03:04:05"])


def piped(folder):
    path = folder / "piped.arrow"
    polars.from_arrow(table(a=[1, 2, 3])).write_ipc(path)
    check("Arrow from a pipe", [row["a"] for row in points(folder, "-", data=path.read_bytes())], ["1", "2", "3"])


def dictionaries(folder):
    """A dictionary of structures is left out, and the other columns are read."""
    values = pa.array([{"x": 1}, {"x": 2}])
    odd = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), values)
    path = folder / "dictionary.arrow"
    pa.feather.write_feather(table(a=[1, 2, 3], odd=odd), path, compression="uncompressed")
    check("a dictionary of structures", [row["a"] for row in points(folder, path)], ["1", "2", "3"])


def two_geometries(folder):
    """The primary column of points is used, and a note names the others."""
    path = folder / "two.parquet"
    places = table(a=[1, 2, 3])
    struct = pa.StructArray.from_arrays([places["lon"].combine_chunks(), places["lat"].combine_chunks()], ["x", "y"])
    far = pa.StructArray.from_arrays([pa.array([9.0] * 3), pa.array([9.0] * 3)], ["x", "y"])
    geo = {"version": "1.1.0", "primary_column": "here", "columns": {
        name: {"encoding": "point", "geometry_types": ["Point"]} for name in ("far", "here")}}
    both = pa.table({"far": far, "here": struct, "a": places["a"]})
    pq.write_table(both.replace_schema_metadata({"geo": json.dumps(geo)}), path)
    check("two columns of points", [row["a"] for row in points(folder, path)], ["1", "2", "3"])
    output = run("build", path, "-o", folder / "notes.mbtiles").stderr.decode()
    check("what is left out", [line.split(": ")[-1] for line in output.splitlines() if "left out" in line],
          ["left out the points of “far”"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        for each in (texts, decimals, places_as_decimals, times_without_end, piped, dictionaries, two_geometries):
            each(Path(folder))
    print("odd values: as they were")


if __name__ == "__main__":
    main()
