"""Writes the same points to Parquet and Arrow with PyArrow, Polars and DuckDB and many of their options. A build from each
file must have the same tiles as one from CSV.

    check_columns.py COVEY
"""

import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq

COUNT = 20_000
COVEY = sys.argv[1]


def read_csv(path):
    """Writes the CSV. An empty cell has no value, as a null in the other formats."""
    return pa.csv.read_csv(path, convert_options=pa.csv.ConvertOptions(strings_can_be_null=True))


# The options of the builds; see docs/inputs.md.
COMMANDS = {
    "duckdb.parquet": lambda path, csv: duckdb.sql(f"COPY (FROM '{csv}') TO '{path}'"),
    "duckdb-zstd.parquet": lambda path, csv: duckdb.sql(
        f"COPY (FROM '{csv}') TO '{path}' (PARQUET_VERSION v2, COMPRESSION zstd, ROW_GROUP_SIZE 5000)"),
    "polars.parquet": lambda path, csv: polars.read_csv(csv).write_parquet(path),
    "polars.arrow": lambda path, csv: polars.read_csv(csv).write_ipc(path),
    "polars-lz4.arrow": lambda path, csv: polars.read_csv(csv).write_ipc(path, compression="lz4"),
    "polars-old.arrow": lambda path, csv: polars.read_csv(csv).write_ipc(path, compat_level=polars.CompatLevel.oldest()),
    "category.arrow": lambda path, csv: polars.read_csv(csv).cast({"kind": polars.Categorical}).write_ipc(path),
    "pyarrow.parquet": lambda path, csv: pq.write_table(read_csv(csv), path),
    "pyarrow.feather": lambda path, csv: pa.feather.write_feather(read_csv(csv), path),
}


def write_csv(path):
    random.seed(29)
    with open(path, "w") as file:
        file.write("lon,lat,kind,size,value\n")
        for row in range(COUNT):
            place = f"{random.uniform(-179, 179):.6f},{random.uniform(-80, 80):.6f}"
            kind = random.choice(["café", "bar", "hotel", "", "a longer kind of place"])
            size = "" if row % 11 == 0 else random.randint(-1000, 1000)
            file.write(f"{place},{kind},{size},{random.uniform(0, 100):.2f}\n")


def geometries(table):
    """The same points with a column of well-known binary."""
    points = [struct.pack("<BIdd", 1, 1, x, y)
              for x, y in zip(table["lon"].to_pylist(), table["lat"].to_pylist())]
    return table.drop(["lon", "lat"]).append_column("geometry", pa.array(points))


def more(folder, table):
    """Codecs, page versions, sizes of pages and groups by PyArrow."""
    for codec in ("none", "snappy", "gzip", "zstd", "lz4", "brotli"):
        for version in ("1.0", "2.0"):
            path = folder / f"{codec}-{version[0]}.parquet"
            pq.write_table(geometries(table), path, compression=codec, data_page_version=version,
                           row_group_size=7_000, data_page_size=3_000)
            yield path
    encodings = {"lon": "BYTE_STREAM_SPLIT", "lat": "BYTE_STREAM_SPLIT", "value": "BYTE_STREAM_SPLIT",
                 "size": "DELTA_BINARY_PACKED", "kind": "DELTA_BYTE_ARRAY"}
    path = folder / "encodings.parquet"
    pq.write_table(table, path, use_dictionary=False, column_encoding=encodings)
    yield path
    path = folder / "stream.arrows"
    with pa.ipc.new_stream(path, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table, max_chunksize=3_000)
    yield path


def build(path, threads=2):
    archive = path.with_name(path.name + ".pmtiles")
    subprocess.run([COVEY, "build", path, "-o", archive, "--max-zoom", "6", "--quiet", "--force", "--no-leaves",
                    "--name", "points", "--layer", "points", "--threads", str(threads)], check=True)
    return archive


def differs(one, other):
    """Whether the tiles are equal. The metadata differ in the names of the sources."""
    output = subprocess.run([COVEY, "diff", one, other], capture_output=True, text=True).stdout
    return not output.strip().endswith("all tiles are the same")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        csv = folder / "points.csv"
        write_csv(csv)
        wanted = build(csv)
        paths = []
        for name, write in COMMANDS.items():
            write(str(folder / name), str(csv))
            paths.append(folder / name)
        table = read_csv(csv)
        paths += more(folder, table)
        wrong = [path.name for path in paths if differs(wanted, build(path)) or differs(wanted, build(path, 1))]
        if wrong:
            sys.exit(f"columns: not what the CSV gives: {', '.join(wrong)}")
        print(f"columns: {len(paths)} files give what the CSV gives")


if __name__ == "__main__":
    main()
