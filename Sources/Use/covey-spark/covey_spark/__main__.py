"""Builds an archive on Spark. Run this file with spark-submit, or the package with python -m covey_spark.

    spark-submit …/covey_spark/__main__.py TABLE… -o OUT --job DIR [options of covey build]
    spark-submit …/covey_spark/__main__.py RECIPE.json -o OUT --job DIR [options of covey build]

TABLE is a folder or file of Parquet, or of the format that --read names. --from-table and --from-sql take a table
of the catalog or a query instead. The sources of a recipe are read in the same way, those of each layer as one table.
"""

import argparse
import json
import os
import sys

from covey import CoveyError


def pair(text):
    """The name and the value in NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"should be NAME=VALUE, and is {text}")
    return name, value


def parser():
    options = argparse.ArgumentParser(
        prog="covey_spark", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__, epilog="All other options are those of covey build about input, clusters and tiles.")
    options.add_argument("-o", "--output", required=True, metavar="OUT", help="the archive, here or in a store")
    options.add_argument("-f", "--force", action="store_true", help="replace an existing archive")
    options.add_argument("-l", "--layer", metavar="NAME", help="the layer for all tables")
    options.add_argument("--job", metavar="DIR", help="a folder that the driver and all workers see, or one in a store")
    options.add_argument("--storage", action="append", type=pair, default=[], metavar="NAME=VALUE",
                         help="an argument of Arrow's file system for the store")
    options.add_argument("--read", default="parquet", metavar="FORMAT", help="the format of TABLE, as Spark names it")
    options.add_argument("--read-option", action="append", type=pair, default=[], metavar="NAME=VALUE",
                         help="an option for reading TABLE")
    options.add_argument("--from-table", metavar="NAME", help="a table of the catalog")
    options.add_argument("--from-sql", metavar="QUERY", help="a query")
    options.add_argument("--wkb", metavar="COLUMN", help="the column of geometries")
    options.add_argument("--binary", metavar="PATH", help="the program on the workers")
    options.add_argument("--task-memory", metavar="SIZE", help="the memory that a task may use besides Spark's")
    options.add_argument("--tasks", type=int, metavar="N", help="the most tasks of a stage")
    options.add_argument("--cell-zoom", type=int, metavar="Z", help="cut the world into cells of this zoom")
    options.add_argument("--cell-margin", type=float, metavar="RADII",
                         help="how far around a cell to look at first, in cluster radii")
    options.add_argument("--in-cells", action="store_true", help="cut the world into cells even if the build fits on one worker")
    options.add_argument("--resume", action="store_true",
                         help="continue a job although Spark cannot tell whether its points are the same")
    options.add_argument("--report", metavar="FILE", help="write the report as JSON")
    options.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return options


def main(line=None):
    from covey_spark.cluster import SPARK_ERRORS, message_of

    options, rest = parser().parse_known_args(line)
    try:
        build_from(options, rest)
    except (CoveyError, ValueError, *SPARK_ERRORS) as error:
        print(f"covey_spark: {message_of(error) if isinstance(error, SPARK_ERRORS) else error}", file=sys.stderr)
        return 1
    return 0


def build_from(options, rest):
    """Builds from the options of this entry and the rest of the command line."""
    from covey import run
    from covey_spark import build
    from covey_spark.cluster import log_line

    if options.report and not os.access(os.path.dirname(options.report) or ".", os.W_OK):
        raise CoveyError(f"{options.report}: its folder is not there, or may not be written")
    if options.from_table or options.from_sql:
        rest = ["table", *rest]
        options.layer = options.layer or "points"
    if options.layer:
        rest += ["--layer", options.layer]
    # The program parses the rest of the command line, and reads recipes.
    recipe = json.loads(run(["recipe", "show", *rest]))

    from pyspark.sql import SparkSession
    is_new = SparkSession.getActiveSession() is None
    spark = SparkSession.builder.appName("covey").getOrCreate()
    if options.from_sql:
        tables = [spark.sql(options.from_sql)]
    elif options.from_table:
        tables = [spark.table(options.from_table)]
    else:
        reader = spark.read.format(options.read)
        tables = [reader.options(**dict(options.read_option)).load(layer["sources"]) for layer in recipe["layers"]]
    names = [layer["name"] for layer in recipe["layers"]]
    report = build(
        dict(zip(names, tables)), options.output, job=options.job, recipe=recipe, wkb=options.wkb, force=options.force,
        binary=options.binary, task_memory=options.task_memory, tasks=options.tasks, progress=not options.quiet,
        cell_zoom=options.cell_zoom, cell_margin=options.cell_margin, in_cells=options.in_cells, resume=options.resume,
        storage=storage(options.storage), spark=spark)
    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            json.dump(report.__dict__, file, indent=2)
    if not options.quiet:
        for line in [*report.samples, *report.notes, report]:
            log_line(line)
    if is_new:
        spark.stop()


def storage(pairs):
    """Arguments for a file system of Arrow, with true and false as truth values."""
    return {name: json.loads(value) if value in ("true", "false") else value for name, value in pairs} or None


if __name__ == "__main__":
    sys.exit(main())
