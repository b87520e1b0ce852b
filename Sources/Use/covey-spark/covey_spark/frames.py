"""Tables on their way to the program."""

import hashlib

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


def described(table):
    """What Spark knows without reading that tells a table from another."""
    files = hashlib.sha256("\n".join(sorted(table.inputFiles())).encode()).hexdigest()
    return {"schema": table.schema.jsonValue(), "files": files}
