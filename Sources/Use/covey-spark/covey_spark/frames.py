"""Tables on their way to the program."""

from covey import CoveyError


def points(table, wkb):
    """The table with its geometries under the name that the program knows."""
    if wkb is None or wkb == "geometry":
        return table
    if wkb not in table.columns:
        raise CoveyError(f"the table has no column {wkb}; it has {', '.join(table.columns)}")
    if "geometry" in table.columns:
        raise CoveyError(f"the table has the columns {wkb} and geometry; leave one of them out")
    return table.withColumnRenamed(wkb, "geometry")


# Leaves of a query whose rows the query itself tells.
WRITTEN_OUT = {"OneRowRelation", "Range"}


def described(table):
    """What tells the table's rows from others, without reading them: its schema, its query, and its files with
    their sizes and times. `unknown` says why that does not suffice, where it does not."""
    about = {"schema": table.schema.jsonValue()}
    try:
        plan = table._jdf.queryExecution().analyzed()
    except Exception:
        return {**about, "unknown": "a client of Spark is not told where rows come from"}
    spark = table.sparkSession
    # Queries are cut short in print unless told.
    limit = "spark.sql.debug.maxToStringFields"
    before = spark.conf.get(limit)
    spark.conf.set(limit, str(2**31 - 1))
    try:
        about["query"] = plan.canonicalized().toString()
    finally:
        spark.conf.set(limit, before)
    about["files"] = statuses(spark, table.inputFiles())
    unknown = unknown_of(spark._jvm, plan)
    return {**about, "unknown": unknown} if unknown else about


def unknown_of(jvm, plan):
    """What of a query may give other rows from the same files; None if nothing may."""
    patterns = jvm.org.apache.spark.sql.catalyst.trees.TreePattern
    if not plan.deterministic():
        return "its query is random"
    if plan.containsPattern(patterns.CURRENT_LIKE()):
        return "its query asks for the time"
    if plan.containsPattern(patterns.PYTHON_UDF()) or plan.containsPattern(patterns.SCALA_UDF()):
        return "its query calls a function of the program"
    leaves = plan.collectLeaves()
    for leaf in (leaves.apply(index) for index in range(leaves.size())):
        kind = leaf.getClass().getSimpleName()
        if kind == "LogicalRelation" and leaf.relation().getClass().getSimpleName() == "HadoopFsRelation":
            continue
        if kind == "DataSourceV2Relation" and leaf.table().getClass().getSuperclass().getSimpleName() == "FileTable":
            continue
        if kind not in WRITTEN_OUT:
            return f"its rows come from no files ({kind})"
    return None


def statuses(spark, files):
    """The size and the time of each file."""
    found, folders = {}, {}
    for file in files:
        folders.setdefault(file.rpartition("/")[0], []).append(file)
    path = spark._jvm.org.apache.hadoop.fs.Path
    for folder in sorted(folders):
        target = path(folder)
        listing = target.getFileSystem(spark._jsc.hadoopConfiguration()).listStatus(target)
        known = {status.getPath().getName(): [status.getLen(), status.getModificationTime()] for status in listing}
        for file in folders[folder]:
            found[file] = known.get(path(file).getName())
    return found


def difference(then, now):
    """In what a table differs from the one that a job was begun with; None if in nothing that is known."""
    if then["schema"] != now["schema"]:
        return "its columns differ"
    if then.get("query") != now.get("query"):
        return "its query differs"
    old, new = then.get("files", {}), now.get("files", {})
    for file in sorted(old.keys() | new.keys()):
        if old.get(file) != new.get(file):
            what = "is gone" if file not in new else "is new" if file not in old else "was written anew"
            return f"{file} {what}"
    return None
