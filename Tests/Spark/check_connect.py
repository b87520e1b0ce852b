"""Tests covey_spark through Spark Connect, with a server on this machine: a job in a folder, and one in a store.

    COVEY=.build/release/covey PYTHONPATH=Sources/Use/covey-spark:Sources/Use/covey-python python check_connect.py FOLDER
"""

import os
import sys

import pyarrow.parquet as parquet
from pyspark.sql import SparkSession

import covey
import covey_spark
from objects import Objects
from samples import OPTIONS, same, table, write_arrow

os.environ["PYSPARK_PYTHON"] = sys.executable
WORK = sys.argv[1]


def at(name):
    return os.path.join(WORK, name)


def main():
    points = table(5_000, seed=2)
    parquet.write_table(points, at("points.parquet"))
    write_arrow(points, at("points.arrow"))
    covey.build(at("points.arrow"), at("a.pmtiles"), layer="points", **OPTIONS)
    spark = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false") \
        .config("spark.sql.session.timeZone", "UTC").getOrCreate()
    frame = spark.read.parquet(at("points.parquet")).repartition(2)
    options = {**OPTIONS, "source": "points.arrow", "cell_zoom": 1, "progress": False}
    covey_spark.build(frame, at("folder.pmtiles"), job=at("job"), **options)
    same(at("a.pmtiles"), at("folder.pmtiles"), "Spark Connect")
    store = Objects()
    covey_spark.build(frame, "s3://maps/a.pmtiles", job="s3://maps/job", storage=store.storage, **options)
    for name in ["a.pmtiles", "a.clusters.pmtiles"]:
        store.fetch(f"maps/{name}", at(f"stored.{name.split('.', 1)[1]}"))
    same(at("a.pmtiles"), at("stored.pmtiles"), "Spark Connect, a job in a store")
    store.end()
    spark.stop()


main()
