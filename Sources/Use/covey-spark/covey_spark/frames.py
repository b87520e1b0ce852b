"""DataFrames: their columns for the program, and descriptions that show whether a table has changed."""

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from covey import CoveyError


# The types of Spark's own geometries.
SPATIAL = {"GeometryType", "GeographyType"}
# The SRIDs of longitude and latitude, and of an undeclared system.
DEGREES = {"0", "4326"}
# Types that no attribute can hold, and an expression that converts them.
CONVERSIONS = {
    "ArrayType": "to_json({})", "MapType": "to_json({})", "StructType": "to_json({})",
    "VariantType": "to_json({})", "DayTimeIntervalType": "cast({} as string)",
    "YearMonthIntervalType": "cast({} as string)", "CalendarIntervalType": "cast({} as string)",
    "UserDefinedType": "ST_AsBinary({}), if it is a geometry,",
}


@dataclass
class Points:
    """A table whose columns the program can read."""

    table: Any
    # The coordinate system of the geometries, if it is not longitude and latitude.
    crs: Optional[str] = None
    notes: List[str] = field(default_factory=list)


def checked(table: Any, name: Optional[str]) -> Any:
    """The table, if it is a DataFrame of Spark. Raises a `TypeError` otherwise."""
    if hasattr(table, "sparkSession") and hasattr(table, "mapInArrow"):
        return table
    kind = f"{type(table).__module__.partition('.')[0]}.{type(table).__qualname__}"
    what = "points" if name is None else f"points[{name!r}]"
    raise TypeError(f"{what} is no DataFrame of Spark but {kind}: covey.build takes what is in memory, and "
                    "spark.createDataFrame makes a table of it")


def points(table: Any, lon: Optional[str], lat: Optional[str], wkb: Optional[str]) -> Points:
    """The table with its geometries as WKB in a column `geometry`, and without the columns that no attribute can hold.
    No row is read."""
    fields = {each.name: each.dataType for each in table.schema.fields}
    for argument, column in (("lon", lon), ("lat", lat), ("wkb", wkb)):
        if column is not None and column not in fields:
            raise CoveyError(f"{argument}={column!r}: the table has no such column; it has {', '.join(fields)}")
        if column is not None and kind_of(fields[column]) in CONVERSIONS:
            raise CoveyError(f"{argument}={column!r}: that is {fields[column].simpleString()}{advice(column, fields)}")
    spatial = [each for each, kind in fields.items() if kind_of(kind) in SPATIAL]
    if wkb is not None and wkb not in spatial and kind_of(fields[wkb]) != "BinaryType":
        raise CoveyError(f"wkb={wkb!r}: that is {fields[wkb].simpleString()}, and geometries are binary (WKB); of a text, "
                         f"st_asbinary(st_geomfromtext({wkb})) makes one where Spark has these functions")
    geometry = wkb
    if wkb is None and lon is None and spatial:
        if len(spatial) > 1:
            raise CoveyError(f"the table has several columns of geometries: say which with wkb=, {', '.join(spatial)}")
        geometry = spatial[0]
    found = Points(table)
    for column in [each for each in fields if each != geometry]:
        if column in spatial:
            leave_out(found, column, fields, "")
        elif kind_of(fields[column]) in CONVERSIONS:
            leave_out(found, column, fields, advice(column, fields))
    if geometry in spatial:
        found.crs = system_of(geometry, fields[geometry])
        quoted = geometry.replace("`", "``")
        found.table = found.table.selectExpr(*(
            f"st_asbinary(`{quoted}`) as `{quoted}`" if each == geometry else "`" + each.replace("`", "``") + "`"
            for each in found.table.columns))
    if geometry not in (None, "geometry"):
        if "geometry" in found.table.columns:
            raise CoveyError(f"the table has the columns {geometry} and geometry; leave one of them out")
        found.table = found.table.withColumnRenamed(geometry, "geometry")
    return found


def kind_of(kind: Any) -> str:
    """The name of the type's class, or of its base class that is in `CONVERSIONS` or `SPATIAL`."""
    names = [each.__name__ for each in type(kind).__mro__]
    return next((name for name in names if name in CONVERSIONS or name in SPATIAL), names[0])


def advice(column: str, fields: Dict[str, Any]) -> str:
    return f"; {CONVERSIONS[kind_of(fields[column])].format(column)} would do"


def leave_out(found: Points, column: str, fields: Dict[str, Any], advice: str) -> None:
    """Drops a column, and adds a note."""
    kind = fields[column].simpleString()
    found.notes.append(f"column {column} is left out: no attribute holds {kind}{advice}")
    names = found.table.columns
    if len({each.lower() for each in names}) < len(names):
        # By its name, Spark would also drop columns whose names differ only in case.
        others = [f"c{index}" for index, each in enumerate(names) if each != column]
        numbered = found.table.toDF(*(f"c{index}" for index in range(len(names))))
        found.table = numbered.select(*others).toDF(*(each for each in names if each != column))
    else:
        found.table = found.table.drop(column)


def system_of(column: str, kind: Any) -> Optional[str]:
    """The coordinate system of a type of geometries; None for longitude and latitude."""
    srid = str(getattr(kind, "srid", 0))
    if srid in DEGREES:
        return None
    if not srid.isdigit():
        raise CoveyError(f"{column} holds geometries of any coordinate system: give all of them one, as with "
                         f"st_setsrid({column}, 4326)")
    return f"EPSG:{srid}"


# Leaves of a plan whose rows are part of the query.
LITERAL_LEAVES = {"OneRowRelation", "Range", "CTERelationRef"}


def described(table):
    """A description of the table by which a build that continues recognizes its rows: the schema, the query, and the
    files with their sizes and times. No row is read. If the same description may have other rows, `unknown` says why."""
    found = {"schema": table.schema.jsonValue()}
    try:
        plan = table._jdf.queryExecution().analyzed()
    except Exception:
        return {**found, "unknown": "Spark Connect does not say where rows come from"}
    spark = table.sparkSession
    # Spark shortens the text of long queries by default.
    limit = "spark.sql.debug.maxToStringFields"
    before = spark.conf.get(limit)
    spark.conf.set(limit, str(2**31 - 1))
    try:
        found["query"] = plan.canonicalized().toString()
    finally:
        spark.conf.set(limit, before)
    found["query"] = renumbered(found["query"])
    found["options"] = hashlib.sha256(json.dumps([options_of(leaf) for leaf in leaves_of(plan)]).encode()).hexdigest()
    # `inputFiles` leaves out the files of cached tables and of subqueries. The optimized plan has them, because this call
    # of the optimizer ignores the cache. It has only those partitions of a table that the query reads, as `inputFiles`.
    optimized = spark._jsparkSession.sessionState().optimizer().execute(plan)
    files = {*table.inputFiles(), *(file for leaf in leaves_of(optimized) for file in files_of(leaf))}
    found["files"] = statuses(spark, sorted(files))
    unknown = next(filter(None, (unknown_of(spark._jvm, each) for each in plans_of(plan))), None)
    return {**found, "unknown": unknown} if unknown else found


def elements(sequence):
    """A list of the elements of a sequence of Scala."""
    return [sequence.apply(index) for index in range(sequence.size())]


def plans_of(plan):
    """A plan, and the plans of its subqueries."""
    return [plan, *elements(plan.subqueriesAll())]


def leaves_of(plan):
    """The relations that a plan and its subqueries read."""
    leaves = [leaf for each in plans_of(plan) for leaf in elements(each.collectLeaves())]
    return [leaf.relation() if leaf.getClass().getSimpleName() == "DataSourceV2ScanRelation" else leaf for leaf in leaves]


def renumbered(query):
    """The query with its common table expressions numbered from 0 on. Spark numbers them throughout a session."""
    known = {}
    return re.sub(r"(CTERelation(?:Def|Ref)) (\d+)",
                  lambda found: f"{found[1]} {known.setdefault(found[2], len(known))}", query)


def is_of_files(leaf):
    kind = leaf.getClass().getSimpleName()
    if kind == "LogicalRelation":
        return leaf.relation().getClass().getSimpleName() == "HadoopFsRelation"
    return kind == "DataSourceV2Relation" and leaf.table().getClass().getSuperclass().getSimpleName() == "FileTable"


def files_of(leaf):
    """The files that a relation reads."""
    if not is_of_files(leaf):
        return []
    if leaf.getClass().getSimpleName() == "LogicalRelation":
        return list(leaf.relation().location().inputFiles())
    return list(leaf.table().fileIndex().inputFiles())


def options_of(leaf):
    """The options with which a relation reads files, without the settings of a store, which include keys."""
    if not is_of_files(leaf):
        return []
    if leaf.getClass().getSimpleName() == "LogicalRelation":
        pairs = [(each._1(), each._2()) for each in elements(leaf.relation().options().toSeq())]
    else:
        pairs = dict(leaf.options().asCaseSensitiveMap()).items()
    return sorted([key.lower(), value] for key, value in pairs if not key.lower().startswith("fs."))


def unknown_of(jvm, plan):
    """Why a plan may give other rows from the same files; None if it may not."""
    patterns = jvm.org.apache.spark.sql.catalyst.trees.TreePattern
    if not plan.deterministic():
        return "its query is random"
    if plan.containsPattern(patterns.CURRENT_LIKE()):
        return "its query reads the current time"
    if plan.containsPattern(patterns.PYTHON_UDF()) or plan.containsPattern(patterns.SCALA_UDF()):
        return "its query calls a function of the program"
    nodes = [plan]
    while nodes:
        node = nodes.pop()
        nodes += elements(node.children())
        if node.getClass().getSimpleName() == "Generate":
            kind = node.generator().getClass().getSimpleName()
            if "Python" in kind or "UserDefined" in kind:
                return "its query calls a function of the program"
    for leaf in elements(plan.collectLeaves()):
        kind = leaf.getClass().getSimpleName()
        if not is_of_files(leaf) and kind not in LITERAL_LEAVES:
            return f"its rows come from no files ({kind})"
    return None


def statuses(spark, files):
    """The size and the time of each file."""
    found, folders = {}, {}
    for file in files:
        folders.setdefault(file.rpartition("/")[0], []).append(file)

    def path(text):
        # Spark gives them as URIs, in which spaces are encoded as %20.
        return spark._jvm.org.apache.hadoop.fs.Path(spark._jvm.java.net.URI(text))
    for folder in sorted(folders):
        target = path(folder)
        listing = target.getFileSystem(spark._jsc.hadoopConfiguration()).listStatus(target)
        known = {status.getPath().getName(): [status.getLen(), status.getModificationTime()] for status in listing}
        for file in folders[folder]:
            found[file] = known.get(path(file).getName())
    return found


def difference(then, now):
    """How a table differs from the one that a job began with; None if no difference is known."""
    if then["schema"] != now["schema"]:
        return "its columns differ"
    if then.get("query") != now.get("query"):
        return "its query differs"
    if then.get("options") != now.get("options"):
        return "its files are read with other options"
    old, new = then.get("files", {}), now.get("files", {})
    for file in sorted(old.keys() | new.keys()):
        if old.get(file) != new.get(file):
            what = "is gone" if file not in new else "is new" if file not in old else "was written anew"
            return f"{file} {what}"
    return None
