"""Building from what Python holds points in."""

import json
import os

from .columns import plain, plain_schema
from .options import arguments
from .program import run


def build(points, out, *, layer=None, recipe=None, **options):
    """Builds an archive, and returns the report.

    `points` is a GeoDataFrame, a pandas DataFrame, an Arrow table or anything that gives Arrow batches;
    a list of dicts with lon and lat, or of (lon, lat); or the names of files. A recipe is built alone.
    """
    words = ["build"]
    feed = None
    if recipe is not None:
        if points is not None:
            raise ValueError("a recipe names its points; pass None for them")
        words.append(os.fspath(recipe))
    elif isinstance(points, (str, os.PathLike)):
        words.append(os.fspath(points))
    elif is_list(points, (str, os.PathLike)):
        words += [os.fspath(each) for each in points]
    elif isinstance(points, (list, tuple)):
        words.append("-")
        feed = features(points)
    else:
        words.append("-")
        feed = batches(points)
    if layer is not None or feed is not None:
        words += ["--layer", layer or "points"]
    words += ["-o", os.fspath(out), "--json", *arguments(options)]
    return json.loads(run(words, feed))


def is_list(points, kind):
    return isinstance(points, (list, tuple)) and bool(points) and all(isinstance(p, kind) for p in points)


def features(points):
    """Writes points of a list as one GeoJSON feature a line."""
    def feed(pipe):
        for point in points:
            if isinstance(point, dict):
                rest = dict(point)
                place = [rest.pop(first(rest, "lon", "lng", "longitude", "x")),
                         rest.pop(first(rest, "lat", "latitude", "y"))]
            else:
                place, rest = list(point), {}
            feature = {"type": "Feature", "properties": rest,
                       "geometry": {"type": "Point", "coordinates": place}}
            pipe.write(json.dumps(feature).encode() + b"\n")
    return feed


def first(record, *names):
    for name in names:
        if name in record:
            return name
    raise ValueError(f"a point has none of {', '.join(names)}; it has {', '.join(map(str, record))}")


def batches(points):
    """Writes a table as a stream of Arrow batches."""
    import pyarrow as pa
    reader = arrow(points)
    schema = plain_schema(reader.schema)

    def feed(pipe):
        with pa.ipc.new_stream(pipe, schema) as writer:
            for batch in reader:
                writer.write_batch(plain(batch, schema))
    return feed


def arrow(points):
    """The Arrow batches of a table, whatever holds it."""
    import pyarrow as pa
    if hasattr(points, "geometry") and hasattr(points.geometry, "to_wkb"):
        return geometries(points)
    if isinstance(points, pa.RecordBatchReader):
        return points
    if isinstance(points, pa.Table):
        return points.to_reader()
    if isinstance(points, pa.RecordBatch):
        return pa.Table.from_batches([points]).to_reader()
    if hasattr(points, "to_numpy") and hasattr(points, "columns") and hasattr(points, "dtypes"):
        if hasattr(points, "reset_index"):
            return pa.Table.from_pandas(points, preserve_index=False).to_reader()
    if hasattr(points, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(points)
    if hasattr(points, "to_arrow"):
        return pa.table(points.to_arrow()).to_reader()
    raise TypeError(f"points cannot be a {type(points).__name__}: a GeoDataFrame, a DataFrame, an Arrow table, "
                    "a list or names of files can")


def geometries(frame):
    """A GeoDataFrame in degrees, its geometries as WKB."""
    import pandas as pd
    import pyarrow as pa
    crs = getattr(frame, "crs", None)
    if crs is not None and crs.to_epsg() != 4326:
        frame = frame.to_crs(4326)
    name = frame.geometry.name
    table = pd.DataFrame(frame.drop(columns=[name]))
    arrow_table = pa.Table.from_pandas(table, preserve_index=False)
    wkb = pa.array(list(frame.geometry.to_wkb()), pa.binary())
    return arrow_table.append_column("geometry", wkb).to_reader()
