"""Writes the Parquet and Arrow samples of the tests: the same forty rows in every encoding, codec and page version."""
import datetime, decimal, json, struct, sys, uuid
from pathlib import Path
import duckdb, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
out = Path(sys.argv[1]); out.mkdir(parents=True, exist_ok=True)
n = 40
lon = [round(-170 + 8.25 * i, 4) for i in range(n)]; lat = [round(-60 + 3.125 * i, 4) for i in range(n)]
def wkb(x, y): return struct.pack("<BIdd", 1, 1, x, y)
def some(values): return [None if i % 7 == 3 else v for i, v in enumerate(values)]
names = [f"Straße {i // 3}" for i in range(n)]
plain = pa.table({
    "lon": pa.array(lon), "lat": pa.array(lat),
    "name": pa.array(some(names)),
    "small": pa.array(some([i * i - 300 for i in range(n)]), pa.int32()),
    "large": pa.array([(1 << 40) + 1000003 * i for i in range(n)], pa.int64()),
    "share": pa.array(some([i / 8 for i in range(n)]), pa.float64()),
    "ratio": pa.array([i / 4 for i in range(n)], pa.float32()),
    "open": pa.array(some([i % 3 == 0 for i in range(n)])),
})
number, text = ["small", "large"], ["name"]
floats = ["lon", "lat", "share", "ratio"]
def write(name, table=plain, **options):
    pq.write_table(table, out / f"{name}.parquet", **options)
off = dict(use_dictionary=False)
for version in ("1.0", "2.0"):
    v = f"v{version[0]}"
    write(f"plain-{v}", data_page_version=version, compression="none", **off)
    write(f"dictionary-{v}", data_page_version=version, compression="none", data_page_size=64, write_batch_size=8)
    write(f"delta-{v}", data_page_version=version, compression="none",
          column_encoding={**{c: "DELTA_BINARY_PACKED" for c in number}, "name": "DELTA_LENGTH_BYTE_ARRAY",
                           **{c: "BYTE_STREAM_SPLIT" for c in floats}, "open": "RLE"}, **off)
    write(f"shared-{v}", data_page_version=version, compression="none",
          column_encoding={"name": "DELTA_BYTE_ARRAY", **{c: "BYTE_STREAM_SPLIT" for c in number}}, **off)
    for codec in ("snappy", "gzip", "zstd", "lz4", "brotli"):
        write(f"{codec}-{v}", data_page_version=version, compression=codec, row_group_size=15)
utc = datetime.timezone.utc
moment = datetime.datetime(2024, 2, 29, 12, 30, 15, 250000)
kinds = pa.table({
    "geometry": pa.array([wkb(13.4, 52.5), wkb(-0.1, 51.5), None]),
    "day": pa.array([datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)]),
    "seen": pa.array([moment, None, moment], pa.timestamp("us", tz="UTC")),
    "local": pa.array([moment, None, moment], pa.timestamp("ns")),
    "price": pa.array([decimal.Decimal("12.34"), None, decimal.Decimal("-0.05")], pa.decimal128(9, 2)),
    "wide": pa.array([decimal.Decimal("-12345678901234567890.5"), None, None], pa.decimal128(30, 1)),
    "id": pa.array([uuid.UUID(int=1 << 120 | 255).bytes, None, None], pa.uuid()),
    "half": pa.array([0.5, None, 1.5], pa.float16()),
    "tiny": pa.array([200, None, 3], pa.uint8()),
    "huge": pa.array([2**64 - 2, None, 3], pa.uint64()),
    "names": pa.array([{"primary": "Inn", "rank": 1}, None, {"primary": None, "rank": 2}]),
    "tags": pa.array([["a", "b"], None, []], pa.list_(pa.string())),
    "photo": pa.array([b"\1\2", None, b""]),
    "clock": pa.array([1, None, 2], pa.time32("s")),
    "class": pa.array(["a", None, "b"]).dictionary_encode(),
    "none": pa.nulls(3),
})
def geo(**column):
    text = {"version": "1.1.0", "primary_column": "geometry",
            "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"], **column}}}
    return {"geo": json.dumps(text)}
write("kinds", kinds.replace_schema_metadata(geo()), store_schema=False)
write("int96", kinds.select(["geometry", "seen", "local"]), use_deprecated_int96_timestamps=True, store_schema=False)
point = pa.struct([("x", pa.float64()), ("y", pa.float64())])
points = pa.array([{"x": 1.0, "y": 2.0}, None, {"x": 3.0, "y": 4.0}], point)
write("points", pa.table({"geometry": points, "n": [1, 2, 3]}).replace_schema_metadata(geo(encoding="point")))
lists_of_points = pa.array([[{"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 4.0}]], pa.list_(point))
write("multipoints", pa.table({"geometry": lists_of_points}).replace_schema_metadata(geo(encoding="multipoint")))
# Empty row groups, before and between the others.
with pq.ParquetWriter(out / "empty-groups.parquet", plain.schema, compression="none") as groups:
    for start in (0, 20, 40):
        groups.write_table(plain.slice(start, 0))
        if start < 40: groups.write_table(plain.slice(start, 20))
few = pa.table({"geometry": [wkb(1, 2)], "n": [1]})
crs = {"type": "ProjectedCRS", "name": "ETRS89 / UTM zone 32N", "id": {"authority": "EPSG", "code": 25832}}
write("crs-25832", few.replace_schema_metadata(geo(crs=crs)))
write("crs-3857", pa.table({"geometry": [wkb(1113194.9079327357, 0)], "n": [1]}).replace_schema_metadata(
    geo(crs={"type": "ProjectedCRS", "name": "WGS 84 / Pseudo-Mercator", "id": {"authority": "EPSG", "code": 3857}})))
# Pages with geometries of one size and of several; and a dictionary that becomes full.
def sized(i): return wkb(lon[i], lat[i]) if i < 16 or 24 <= i and i % 2 else struct.pack("<BIddd", 1, 1001, lon[i], lat[i], 9)
sizes = pa.table({"geometry": [None if i == 33 else sized(i) for i in range(n)]}).replace_schema_metadata(geo())
for name, options in (("sizes", off), ("sizes-dictionary", dict(dictionary_pagesize_limit=200))):
    write(name, sizes, compression="none", data_page_size=64, write_batch_size=8, **options)
# Arrow
def arrow(name, table, **options): feather.write_feather(table, out / f"{name}.feather", **options)
arrow("lz4", plain, compression="lz4", chunksize=15)
arrow("zstd", plain, compression="zstd")
arrow("kinds", kinds.replace_schema_metadata(geo()), compression="lz4")
views = pa.table({"lon": lon, "lat": lat,
                  "name": pa.array(some([f"{t} and what makes it long" for t in names]), pa.string_view()),
                  "short": pa.array(names, pa.large_string()),
                  "class": pa.array(some(names)).dictionary_encode()})
arrow("views", views, compression="uncompressed")
# Dictionaries of truth values and of views.
coded = {"open": pa.array([False, True]), "class": pa.array([f"{t} and what makes it long" for t in names[:6]], pa.string_view())}
arrow("dictionaries", pa.table({"lon": lon, "lat": lat, **{
    name: pa.DictionaryArray.from_arrays(pa.array([i % len(values) for i in range(40)], pa.int8()), values)
    for name, values in coded.items()}}), compression="uncompressed")
# Delta dictionaries, of texts and of numbers.
def grown(count):
    def column(values): return pa.DictionaryArray.from_arrays(pa.array(range(count), pa.int8()), values)
    return {"lon": lon[:count], "lat": lat[:count], "class": column(pa.array([f"Straße {i}" for i in range(count)])),
            "number": column(pa.array([100 * i for i in range(count)], pa.int64()))}
for ending, open_ in (("arrows", pa.ipc.new_stream), ("feather", pa.ipc.new_file)):
    steps = [pa.record_batch(grown(count)) for count in (7, 9, 20)]
    with open_(out / f"grown.{ending}", steps[0].schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as file:
        for step in steps: file.write_batch(step)
def field(name, type, extension, **meta):
    return pa.field(name, type, metadata={"ARROW:extension:name": extension, "ARROW:extension:metadata": json.dumps(meta)})
lists = pa.array([[1.0, 2.0], None, [3.0, 4.0]], pa.list_(pa.float64(), 2))
for name, column, kind in (("point-struct", points, "geoarrow.point"), ("point-list", lists, "geoarrow.point"),
                           ("point-wkb", pa.array([wkb(1, 2), None, wkb(3, 4)]), "geoarrow.wkb")):
    arrow(name, pa.table([column, pa.array([1, 2, 3])], pa.schema([field("place", column.type, kind, crs="OGC:CRS84"), ("n", pa.int64())])))
arrow("crs-25832", pa.table([few["geometry"]], pa.schema([field("geometry", pa.binary(), "geoarrow.wkb", crs=crs)])))

# Who declares a system, and who does not: Parquet's own type GEOMETRY as DuckDB writes it, with GeoParquet's text, which then has none.
metres = pa.table({"geometry": [wkb(1113194.9079327357, 0)], "n": [1]})
write("crs-none", metres.replace_schema_metadata(geo()))
duckdb.sql(f"""COPY (SELECT st_setcrs('POINT(1113194.9079327357 0)'::GEOMETRY, 'EPSG:3857') AS geometry, 1 AS n)
    TO '{out}/crs-native.parquet' (GEOPARQUET_VERSION 'V2')""")
mercator = field("place", pa.binary(), "geoarrow.wkb", crs="EPSG:3857")
beside = pa.table([metres["geometry"]], pa.schema([mercator.with_name("geometry")]))
arrow("crs-beside", beside.replace_schema_metadata(geo()))
# Columns with an extension in dictionaries.
def coded_as(field, values):
    array = pa.array(values, field.type).dictionary_encode()
    return pa.field(field.name, array.type, metadata=field.metadata), array
extended = [coded_as(mercator, [wkb(1113194.9079327357, 0)] * 2),
            coded_as(field("id", pa.binary(16), "arrow.uuid"), [uuid.UUID(int=7).bytes] * 2)]
arrow("extended", pa.Table.from_arrays([a for _, a in extended], schema=pa.schema([f for f, _ in extended])))
# What attributes cannot hold, and what is not read.
odd = {"lon": [1.0, 2.0], "lat": [3.0, 4.0], "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array(["a"])),
       "either": pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
       "lists": pa.array([[1], []]), "n": [5, 6]}
with pa.ipc.new_file(out / "runs.feather", pa.table(odd).schema) as file: file.write_table(pa.table(odd))
# Boxes of two columns of geometries, one of them with a label.
def box(x, y, **more): return [{"xmin": x, "ymin": y, "xmax": x, "ymax": y, **more}]
def sides(name): return {"covering": {"bbox": {side: [name, side] for side in ("xmin", "ymin", "xmax", "ymax")}}}
about = json.loads(geo(**sides("bbox"))["geo"])
about["columns"]["other"] = {"encoding": "WKB", "geometry_types": ["Point"], **sides("others")}
write("boxes", pa.table({"geometry": [wkb(1, 2)], "other": [wkb(3, 4)], "bbox": box(1.0, 2.0, label="a"), "others": box(3.0, 4.0)})
      .replace_schema_metadata({"geo": json.dumps(about)}))
# Two columns of points in structures.
about["columns"] = {name: {"encoding": "point", "geometry_types": ["Point"]} for name in ("geometry", "other")}
write("structures", pa.table({"geometry": [{"x": 1.0, "y": 2.0}], "other": [{"x": 3.0, "y": 4.0}]})
      .replace_schema_metadata({"geo": json.dumps(about)}))
# Geometries as texts.
texts = ["POINT(1 2)", '{"type":"Point","coordinates":[3,4]}', None, "SRID=3857;POINT(1113194.9079327357 0)",
         wkb(5, 6).hex(), "POINT EMPTY", "MULTIPOINT(7 8, 9 10)"]
write("texts", pa.table({"wkt": texts, "n": range(7)}))
mercator = field("place", pa.string(), "geoarrow.wkt", crs="EPSG:3857")
arrow("texts", pa.table([["POINT(1113194.9079327357 0)"], ["a"]], pa.schema([mercator, ("geometry", pa.string())])))
