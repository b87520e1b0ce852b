"""The entry for spark-submit, which takes this file, and for python -m covey_spark.

    spark-submit …/covey_spark/__main__.py TABLE… -o OUT --job DIR [options of covey build]
    spark-submit …/covey_spark/__main__.py RECIPE.json -o OUT --job DIR [options of covey build]

TABLE is a folder or file of Parquet, or what --read names; --from-table and --from-sql take a table of the
catalog or a query instead. The sources of a recipe are read likewise, each layer's as one table.
"""

import argparse
import json
import os
import sys

from covey import CoveyError


def pair(word):
    """A name and its value."""
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"should be NAME=VALUE, and is {word}")
    return name, value


def parser():
    words = argparse.ArgumentParser(
        prog="covey_spark", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__, epilog="All other options are those of covey build about input, clusters and tiles.")
    words.add_argument("-o", "--output", required=True, metavar="OUT", help="the archive, here or in a store")
    words.add_argument("-f", "--force", action="store_true", help="replace an existing archive")
    words.add_argument("-l", "--layer", metavar="NAME", help="the layer for all tables")
    words.add_argument("--job", metavar="DIR", help="a folder that the driver and all workers see, or one in a store")
    words.add_argument("--storage", action="append", type=pair, default=[], metavar="NAME=VALUE",
                       help="an argument of Arrow's file system for the store")
    words.add_argument("--read", default="parquet", metavar="FORMAT", help="what TABLE is, as Spark calls it")
    words.add_argument("--read-option", action="append", type=pair, default=[], metavar="NAME=VALUE",
                       help="an option for reading TABLE")
    words.add_argument("--from-table", metavar="NAME", help="a table of the catalog")
    words.add_argument("--from-sql", metavar="QUERY", help="a query")
    words.add_argument("--wkb", metavar="COLUMN", help="the column of geometries")
    words.add_argument("--binary", metavar="PATH", help="the program on the workers")
    words.add_argument("--task-memory", metavar="SIZE", help="the memory that a task may use besides Spark's")
    words.add_argument("--tasks", type=int, metavar="N", help="the most tasks of a stage")
    words.add_argument("--cell-zoom", type=int, metavar="Z", help="cut the world into cells of this zoom")
    words.add_argument("--cell-margin", type=float, metavar="RADII",
                       help="how far around a cell to look at first, in cluster radii")
    words.add_argument("--in-cells", action="store_true", help="cut the world even where one worker could hold it")
    words.add_argument("--resume", action="store_true",
                       help="continue a job although Spark cannot tell whether its points are the same")
    words.add_argument("--report", metavar="FILE", help="write the report as JSON")
    words.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return words


def main(line=None):
    from covey_spark.cluster import SPARK_ERRORS, told_by

    given, rest = parser().parse_known_args(line)
    try:
        build_from(given, rest)
    except (CoveyError, ValueError, *SPARK_ERRORS) as error:
        print(f"covey_spark: {told_by(error) if isinstance(error, SPARK_ERRORS) else error}", file=sys.stderr)
        return 1
    return 0


def build_from(given, rest):
    from covey import run
    from covey_spark import build
    from covey_spark.cluster import say_line

    if given.report and not os.access(os.path.dirname(given.report) or ".", os.W_OK):
        raise CoveyError(f"{given.report}: its folder is not there, or may not be written")
    named = given.from_table or given.from_sql
    if named:
        rest = ["table", *rest]
        given.layer = given.layer or "points"
    if given.layer:
        rest += ["--layer", given.layer]
    # The program itself tells inputs from options, and knows recipes.
    recipe = json.loads(run(["recipe", "show", *rest]))

    from pyspark.sql import SparkSession
    is_ours = SparkSession.getActiveSession() is None
    spark = SparkSession.builder.appName("covey").getOrCreate()
    if given.from_sql:
        tables = [spark.sql(given.from_sql)]
    elif given.from_table:
        tables = [spark.table(given.from_table)]
    else:
        reader = spark.read.format(given.read)
        tables = [reader.options(**dict(given.read_option)).load(layer["sources"]) for layer in recipe["layers"]]
    names = [layer["name"] for layer in recipe["layers"]]
    report = build(
        dict(zip(names, tables)), given.output, job=given.job, recipe=recipe, wkb=given.wkb, force=given.force,
        binary=given.binary, task_memory=given.task_memory, tasks=given.tasks, progress=not given.quiet,
        cell_zoom=given.cell_zoom, cell_margin=given.cell_margin, in_cells=given.in_cells, resume=given.resume,
        storage=storage(given.storage), spark=spark)
    if given.report:
        with open(given.report, "w", encoding="utf-8") as file:
            json.dump(report.__dict__, file, indent=2)
    if not given.quiet:
        for words in [*report.samples, *report.notes, report]:
            say_line(words)
    if is_ours:
        spark.stop()


def storage(pairs):
    """Arguments of a file system; truth values as JSON has them."""
    return {name: json.loads(value) if value in ("true", "false") else value for name, value in pairs} or None


if __name__ == "__main__":
    sys.exit(main())
