"""Writes tables as a stream of Arrow batches."""

from typing import IO, Any, Callable

HINT = "tables need pyarrow: pip install 'covey[arrow]'"


def is_table(points: Any) -> bool:
    """Whether the points are a table."""
    return (is_frame(points) or is_geographic(points) or hasattr(points, "__arrow_c_stream__")
            or hasattr(points, "__arrow_c_array__") or hasattr(points, "to_arrow") or is_dataset(points)
            or is_lazy(points))


def is_dataset(points: Any) -> bool:
    """Whether it is a table in files: a table of Delta, a scan of Iceberg, a dataset of Arrow."""
    return any(hasattr(points, name) for name in ("to_arrow_batch_reader", "to_pyarrow_dataset", "scanner", "to_reader"))


def is_lazy(points: Any) -> bool:
    """Whether it is a query whose rows are still to be computed: a LazyFrame of Polars."""
    return hasattr(points, "collect_schema") and not hasattr(points, "__arrow_c_stream__")


def is_frame(points: Any) -> bool:
    """Whether it is a DataFrame of pandas."""
    return hasattr(points, "reset_index") and hasattr(points, "dtypes") and hasattr(points, "columns")


def is_geographic(points: Any) -> bool:
    """Whether it is a GeoDataFrame or a GeoSeries."""
    return hasattr(points, "to_wkb") and hasattr(points, "to_crs")


def batches(points: Any) -> Callable[[IO[bytes]], None]:
    """A function that writes a table as a stream of Arrow batches."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(HINT) from error
    reader = stream(points, pa)

    def feed(pipe: IO[bytes]) -> None:
        with pa.ipc.new_stream(pipe, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    return feed


def stream(points: Any, pa: Any) -> Any:
    """The Arrow batches of any table."""
    if is_lazy(points):
        points = points.collect()
    if is_geographic(points):
        return geometries(points, pa).to_reader()
    if is_frame(points):
        return columns(points, pa).to_reader()
    if hasattr(points, "__arrow_c_stream__") or hasattr(points, "__arrow_c_array__"):
        field = column(points, pa)
        if field is not None:
            schema = pa.schema([field.with_name("geometry")])
            chunks = pa.chunked_array(points if hasattr(points, "__arrow_c_stream__") else [pa.array(points)])
            return pa.Table.from_arrays([chunks], schema=schema).to_reader()
        if hasattr(points, "__arrow_c_stream__"):
            return imported(points, pa)
        return pa.Table.from_batches([pa.record_batch(points)]).to_reader()
    # Files are read one after another, and not kept in memory.
    if hasattr(points, "to_arrow_batch_reader"):
        return points.to_arrow_batch_reader()
    if is_dataset(points):
        if hasattr(points, "to_reader"):
            return points.to_reader()
        dataset = points.to_pyarrow_dataset() if hasattr(points, "to_pyarrow_dataset") else points
        return dataset.scanner().to_reader()
    found = points.to_arrow()
    return found if isinstance(found, pa.RecordBatchReader) else pa.table(found).to_reader()


def imported(points: Any, pa: Any) -> Any:
    """The batches of a table in Arrow's own memory; some packages have types that Arrow has not."""
    try:
        return pa.RecordBatchReader.from_stream(points)
    except pa.ArrowInvalid as error:
        odd = [name for name in getattr(points, "columns", ()) if not is_known(points[name], pa)]
        if not odd:
            raise
        raise TypeError(f"points have columns of types that Arrow does not know, {', '.join(odd)}: cast them to others, "
                        f"or leave them out ({error})") from error


def is_known(values: Any, pa: Any) -> bool:
    try:
        pa.chunked_array(values)
    except pa.ArrowInvalid:
        return False
    return True


def column(points: Any, pa: Any) -> Any:
    """The field of a GeoArrow array of geometries, which has their encoding; None for a table."""
    if hasattr(points, "__arrow_c_schema__"):
        described = points
    elif hasattr(points, "__arrow_c_array__"):
        capsule = points.__arrow_c_array__()[0]
        described = type("Described", (), {"__arrow_c_schema__": lambda self: capsule})()
    else:
        return None
    field = pa.field(described)
    is_geometry = b"ARROW:extension:name" in (field.metadata or {})
    return field if is_geometry or not pa.types.is_struct(field.type) else None


def columns(frame: Any, pa: Any) -> Any:
    """A DataFrame as an Arrow table. An index with a name becomes a column."""
    named = frame.reset_index() if any(frame.index.names) else frame
    # Arrow would have periods as numbers. `astype` is called only if there are any, because it copies all columns.
    periods = [name for name, kind in named.dtypes.items() if str(kind).startswith("period")]
    named = named.astype({name: str for name in periods}) if periods else named
    return pa.Table.from_pandas(named, preserve_index=False)


def geometries(frame: Any, pa: Any) -> Any:
    """A GeoDataFrame or a GeoSeries as an Arrow table, with its geometries as WKB in longitude and latitude."""
    crs = frame.crs
    if crs is not None and crs.to_epsg() != 4326:
        frame = frame.to_crs(4326)
    if not hasattr(frame, "columns"):
        frame = frame.to_frame("geometry")
    shapes = frame.geometry
    others = [name for name, kind in frame.dtypes.items() if str(kind) == "geometry"]
    table = columns(frame.drop(columns=others), pa)
    # The metadata of GeoArrow declare the column and its system, which then do not depend on names and options.
    metadata = {"ARROW:extension:name": "geoarrow.wkb"}
    if crs is not None:
        metadata["ARROW:extension:metadata"] = '{"crs": "EPSG:4326"}'
    field = pa.field(shapes.name, pa.binary(), metadata=metadata)
    wkb = pa.array(list(shapes.to_wkb()), pa.binary())
    if table.num_columns == 0:
        return pa.Table.from_arrays([wkb], schema=pa.schema([field]))
    return table.append_column(field, wkb)
