"""For the tests of covey_spark: skewed points with columns of all types, options to build them with, and a comparison
of archives.
"""

import datetime
import filecmp
import random
import sys
from pathlib import Path

import pyarrow as pa

TYPES = pa.schema([
    ("lon", pa.float64()), ("lat", pa.float64()), ("name", pa.string()), ("value", pa.float64()),
    ("stars", pa.int32()), ("total", pa.int64()), ("open", pa.bool_()), ("since", pa.date32()),
    ("seen", pa.timestamp("us", tz="UTC")), ("share", pa.float32()), ("price", pa.decimal128(9, 2)),
])


def table(count, seed):
    """Points around some towns and all over the world, with missing values in every column but the coordinates."""
    choose = random.Random(seed)
    towns = [(choose.uniform(-180, 180), choose.uniform(-70, 70), choose.uniform(0.01, 2)) for _ in range(40)]
    columns = {name: [] for name in TYPES.names}
    for number in range(count):
        if choose.random() < 0.8:
            lon, lat, spread = choose.choice(towns[:choose.randint(1, len(towns))])
            lon, lat = choose.gauss(lon, spread), choose.gauss(lat, spread)
        else:
            lon, lat = choose.uniform(-180, 180), choose.uniform(-85, 85)
        row = [
            (lon + 180) % 360 - 180, max(-89.0, min(89.0, lat)), f"place {number % 997} é", choose.uniform(-5, 5),
            choose.randrange(1, 6), choose.randrange(1 << 40), choose.random() < 0.5,
            datetime.date(2000, 1, 1) + datetime.timedelta(days=choose.randrange(9000)),
            datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
            + datetime.timedelta(microseconds=choose.randrange(10**15)),
            choose.randrange(100) / 100, choose.randrange(10**6),
        ]
        for index, (name, value) in enumerate(zip(TYPES.names, row)):
            columns[name].append(None if index > 1 and choose.random() < 0.05 else value)
    columns["price"] = pa.array(columns["price"], pa.int64()).cast(pa.decimal128(38, 0)).cast(pa.decimal128(9, 2))
    return pa.table(columns, schema=TYPES)


OPTIONS = {
    "radius": 40, "max_zoom": 9, "name": "Places",
    "aggregates": {"sum": "sum:value", "mean": "mean:stars", "kinds": "distinct:stars", "first": "first:name"},
    "inherit": ["name"],
}


def write_arrow(points, path):
    """Writes the points to a file that `covey build` reads."""
    from covey_spark.columns import plain, plain_schema
    schema = plain_schema(points.schema)
    with pa.ipc.new_file(path, schema) as writer:
        for batch in points.to_batches(max_chunksize=1 << 16):
            writer.write_batch(plain(batch, schema))


def same(first, second, what):
    """Ends the test with an error if two archives differ."""
    from covey_spark.store import archive_files as files
    test = Path(sys.argv[0]).stem
    if not all(filecmp.cmp(*pair, shallow=False) for pair in zip(files(first), files(second))):
        print(f"{test}: {what}: other bytes than covey build", file=sys.stderr)
        sys.exit(1)
    print(f"{test}: {what}: the same bytes", flush=True)
