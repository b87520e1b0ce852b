"""Broken FlatGeobuf, Arrow and Parquet files."""

import io
import json
import os
import struct
import tempfile

import numpy
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyogrio.raw

from broken_text import REFUSED, LeftOut, places

ROW = 20
HUGE = [2**31 - 1, 2**31, 2**32 - 1]


def wkb(x, y):
    return struct.pack("<BIdd", 1, 1, x, y)


# MARK: FlatGeobuf

def flat_parts():
    """The magic bytes and the header of a valid file, and its features with their lengths."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "a.fgb")
    names = numpy.array([f"n{number:04}" for number in range(len(places()))], dtype=object)
    pyogrio.raw.write(path, numpy.array([wkb(*place) for place in places()], dtype=object), [names], ["name"],
                      crs="EPSG:4326", geometry_type="Point", layer_options={"SPATIAL_INDEX": "NO"})
    with open(path, "rb") as file:
        whole = file.read()
    os.unlink(path)
    os.rmdir(folder)
    end = 12 + struct.unpack_from("<I", whole, 8)[0]
    head, features = whole[:end], []
    while end < len(whole):
        size = 4 + struct.unpack_from("<I", whole, end)[0]
        features.append(whole[end:end + size])
        end += size
    return head, features


def member(data, start, index):
    """The offset of a member of the root table of a flatbuffer that begins at `start`."""
    table = start + struct.unpack_from("<I", data, start)[0]
    layout = table - struct.unpack_from("<i", data, table)[0]
    return table + struct.unpack_from("<H", data, layout + 4 + 2 * index)[0]


def patched(data, at, form, value):
    return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form):]


def flatgeobuf():
    head, features = flat_parts()
    sound, (x, y) = features[ROW], places()[ROW]
    place, text = struct.pack("<dd", x, y), f"n{ROW:04}".encode()

    def whole(feature):
        return head + b"".join(features[:ROW] + [feature] + features[ROW + 1:])

    def at(longitude, latitude):
        return sound.replace(place, struct.pack("<dd", longitude, latitude))

    nan = float("nan")
    yield "a latitude beyond the pole", whole(at(1, 91)), 1
    yield "a longitude of two rounds", whole(at(720, 1)), 1
    yield "an infinite number", whole(at(float("inf"), 1)), 1
    yield "half a place", whole(at(nan, 1)), 1
    yield "an empty place", whole(at(nan, nan)), LeftOut(1)
    yield "a text that is no UTF-8", whole(sound.replace(text, b"\xc3(abc")), 1
    yield "a text past its end", whole(sound.replace(struct.pack("<I", 5) + text, struct.pack("<I", 99) + text)), 1
    yield "a column that is not there", whole(sound.replace(
        struct.pack("<HI", 0, 5) + text, struct.pack("<HI", 7, 5) + text)), 1
    yield "three coordinates", whole(sound.replace(struct.pack("<I", 2) + place, struct.pack("<I", 3) + place)), 1
    for number in HUGE:
        yield f"{number} coordinates", whole(
            sound.replace(struct.pack("<I", 2) + place, struct.pack("<I", number) + place)), 1
        yield f"a feature of {number} bytes", whole(patched(sound, 0, "<I", number)), REFUSED
        yield f"a table at {number}", whole(patched(sound, 4, "<I", number)), 1
        yield f"a header of {number} bytes", patched(whole(sound), 8, "<I", number), REFUSED
        yield f"a header's table at {number}", patched(whole(sound), 12, "<I", number), REFUSED
    yield "a feature of no bytes", whole(bytes(4)), 1
    yield "a geometry that leads out", whole(patched(sound, member(sound, 4, 0), "<I", 2**30)), 1
    count = member(head, 12, 8)
    yield "a count of features too great", patched(whole(sound), count, "<Q", 1_000), 1
    yield "a count of features too small", patched(whole(sound), count, "<Q", 10), REFUSED
    yield "a count of features past all", patched(whole(sound), count, "<Q", 2**64 - 1), 1
    yield "a magic that is none", b"fgb\x09" + whole(sound)[4:], REFUSED
    yield "cut in a feature", whole(sound)[:len(head) + 1_000], 1
    yield "cut in the header", head[:60], REFUSED


# MARK: Columns

def table(**columns):
    lon, lat = zip(*places())
    sound = {"lon": lon, "lat": lat, "name": [f"n{number}" for number in range(len(lon))]}
    return pa.table(sound | columns)


def changed(name, value):
    column = table()[name].to_pylist()
    column[ROW] = value
    return column


def geometries(value, **meta):
    column = [wkb(*place) for place in places()]
    column[ROW] = value
    geo = {"version": "1.1.0", "primary_column": "geometry",
           "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"], **meta}}}
    return pa.table({"geometry": pa.array(column, pa.binary())}).replace_schema_metadata({"geo": json.dumps(geo)})


def bad_text(text):
    """A column of texts in which one value has these bytes."""
    column = [b"n"] * len(places())
    column[ROW] = text
    return pa.array(column, pa.binary()).view(pa.string())


def tables():
    """Files with broken values, for all formats of columns."""
    yield "a latitude beyond the pole", table(lat=changed("lat", 91.0)), 1
    yield "a longitude of two rounds", table(lon=changed("lon", 720.0)), 1
    yield "an infinite number", table(lon=changed("lon", float("inf"))), 1
    yield "half a place that is no number", table(lon=changed("lon", float("nan"))), LeftOut(1)
    yield "half a place", table(lon=changed("lon", None)), LeftOut(1)
    yield "no place", table(lon=changed("lon", None), lat=changed("lat", None)), LeftOut(1)
    yield "a text that is no UTF-8", table(name=bad_text(b"\xc3(")), 1
    yield "a geometry that is cut", geometries(wkb(1, 2)[:-3]), 1
    yield "a geometry of no bytes", geometries(b""), 1
    yield "a geometry of an unknown kind", geometries(struct.pack("<BIdd", 1, 99, 1, 2)), 1
    yield "a geometry with a lying count", geometries(struct.pack("<BII", 1, 4, 2**32 - 1)), 1
    yield "a line", geometries(struct.pack("<BIIdd", 1, 2, 1, 1, 2)), 1
    yield "a geometry beyond the pole", geometries(wkb(1, 91)), 1
    yield "an empty point", geometries(wkb(float("nan"), float("nan"))), LeftOut(1)
    yield "no geometry", geometries(None), LeftOut(1)
    unknown = {"id": {"authority": "EPSG", "code": 99999}}
    yield "a system that nothing knows", geometries(wkb(1, 2), crs=unknown), REFUSED
    yield "points in lists", pa.table({"geometry": [[place] for place in places()]}), REFUSED
    yield "no columns of coordinates", table().drop(["lat"]), REFUSED
    yield "coordinates that are truth values", table(lon=[True] * len(places())), REFUSED


def arrow_bytes(value, **options):
    sink = io.BytesIO()
    pa.feather.write_feather(value, sink, **options)
    return sink.getvalue()


def stream_bytes(value):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, value.schema) as stream:
        stream.write_table(value, max_chunksize=10)
    return sink.getvalue()


def arrow():
    for name, value, lost in tables():
        yield name, arrow_bytes(value, compression="uncompressed"), lost
    file, stream = arrow_bytes(table(), compression="lz4", chunksize=10), stream_bytes(table())
    for part in (10, 40, 90):
        yield f"a file cut to {part} %", file[:len(file) * part // 100], REFUSED
        yield f"a stream cut to {part} %", stream[:len(stream) * part // 100], REFUSED
    for number in HUGE:
        yield f"a message of {number} bytes", patched(stream, 4, "<I", number), REFUSED
        yield f"a message's table at {number}", patched(stream, 8, "<I", number), REFUSED
    yield "a footer of noise", file[:-200] + bytes(range(100, 200)) + file[-100:], REFUSED
    yield "a magic that is none", b"ARROW2" + file[6:], REFUSED
    texts = table()["name"].combine_chunks().buffers()[1].to_pybytes()
    yield "texts that end before they start", stream_bytes(table().slice(0, 10)).replace(
        texts[:44], patched(texts[:44], 8, "<i", -5)), 2


# MARK: Parquet

def parquet_bytes(value, **options):
    sink = io.BytesIO()
    pa.parquet.write_table(value, sink, **{"row_group_size": 10, "compression": "none"} | options)
    return sink.getvalue()


def parquet():
    for name, value, lost in tables():
        yield name, parquet_bytes(value), lost
    plain = parquet_bytes(table(), use_dictionary=False)
    packed = parquet_bytes(table(), compression="zstd")
    footer = struct.unpack_from("<I", plain, len(plain) - 8)[0]
    for part in (10, 50, 99):
        yield f"cut to {part} %", plain[:len(plain) * part // 100], REFUSED
    for number in [0, 3, *HUGE]:
        yield f"a footer of {number} bytes", patched(plain, len(plain) - 8, "<I", number), REFUSED
    yield "a magic of encrypted files", plain[:-4] + b"PARE", REFUSED
    yield "a magic that is none", b"PARX" + plain[4:], REFUSED
    yield "a footer of noise", plain[:-footer] + b"\x99" * (footer - 8) + plain[-8:], REFUSED
    yield "a footer of zeros", plain[:-footer - 8] + bytes(footer) + plain[-8:], REFUSED
    yield "a page's header of noise", plain[:4] + b"\xff" * 12 + plain[16:], REFUSED
    yield "packed pages of noise", packed.replace(b"\x28\xb5\x2f\xfd", b"\x29\xb5\x2f\xfd"), REFUSED
    yield "bytes that are missing in the middle", plain[:200] + plain[300:], REFUSED
