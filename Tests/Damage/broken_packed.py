"""Broken packed files and zip archives, and GPX, which goes through GDAL."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile

import pyarrow as pa

from broken_columns import patched
from broken_text import ANYTHING, REFUSED, encoded, places, row

MEGABYTE = 1 << 20


def table():
    return encoded("\n".join(["lon,lat,name", *(row(x, y, f"n{n}") for n, (x, y) in enumerate(places()))]) + "\n")


def bomb():
    """A line of 600 megabytes, compressed in pieces."""
    sink = io.BytesIO()
    with gzip.GzipFile(fileobj=sink, mode="w", compresslevel=1, mtime=0) as file:
        for _ in range(600):
            file.write(b"x" * MEGABYTE)
    return sink.getvalue()


def packed():
    rows = table()
    ways = {"gzip": gzip.compress(rows, mtime=0), "bzip2": bz2.compress(rows), "xz": lzma.compress(rows),
            "zstd": pa.compress(rows, codec="zstd", asbytes=True)}
    for name, whole in ways.items():
        middle = len(whole) // 2
        yield f"{name} cut in half", whole[:middle], REFUSED
        yield f"{name} cut at the end", whole[:-3], REFUSED
        yield f"{name} cut in the header", whole[:7], REFUSED
        yield f"{name} with noise in it", whole[:middle] + bytes(range(40)) + whole[middle + 40:], ANYTHING
        # The program bzip2 ignores bytes after the end.
        yield f"{name} with noise behind it", whole + b"noise" * 5, 0 if name == "bzip2" else REFUSED
        yield f"{name} in itself twice", again(name, again(name, whole)), REFUSED
    yield "a sum that is wrong", patched(ways["gzip"], len(ways["gzip"]) - 8, "<I", 1), REFUSED
    yield "a length that is wrong", patched(ways["gzip"], len(ways["gzip"]) - 4, "<I", 1), REFUSED
    yield "gzip of nothing", gzip.compress(b"", mtime=0), REFUSED
    yield "gzip of a line of 600 megabytes", bomb(), REFUSED
    yield "zstd that claims 2^62 bytes", b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", 2**62) + bytes(20), REFUSED


def again(name, whole):
    return {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress,
            "zstd": lambda data: pa.compress(data, codec="zstd", asbytes=True)}[name](whole)


def archive(members, method=zipfile.ZIP_DEFLATED):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, method)
    return sink.getvalue()


def zipped():
    whole = archive({"a.csv": table()})
    entry, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    middle = entry // 2
    yield "cut in a member", whole[:middle], REFUSED
    yield "cut in the directory", whole[:entry + 20], REFUSED
    yield "cut at the end", whole[:-4], REFUSED
    yield "bytes missing in the middle", whole[:middle - 50] + whole[middle:], REFUSED
    yield "noise in a member", whole[:middle] + bytes(range(60)) + whole[middle + 60:], REFUSED
    yield "a sum that is wrong", patched(whole, entry + 16, "<I", 1), REFUSED
    yield "a size that is too small", patched(whole, entry + 24, "<I", 10), REFUSED
    yield "a size that is too great", patched(whole, entry + 24, "<I", 2**32 - 2), REFUSED
    yield "a packed size that leads out", patched(whole, entry + 20, "<I", 2**31), REFUSED
    yield "a packed size that is too small", patched(whole, entry + 20, "<I", 10), REFUSED
    yield "an unknown method", patched(whole, entry + 10, "<H", 77), REFUSED
    yield "an encrypted member", patched(whole, entry + 8, "<H", 1), REFUSED
    yield "a member past the end", patched(whole, entry + 42, "<I", 2**31), REFUSED
    yield "a member in the middle of another", patched(whole, entry + 42, "<I", 11), REFUSED
    yield "a directory past the end", patched(whole, end + 16, "<I", 2**31), REFUSED
    yield "a directory of 65,535 entries", patched(patched(whole, end + 8, "<H", 65_535), end + 10, "<H", 65_535), 0
    yield "a directory of great size", patched(whole, end + 12, "<I", 2**32 - 2), REFUSED
    yield "no members", archive({}), REFUSED
    yield "two members of points", archive({"a.csv": table(), "b.csv": table()}), REFUSED
    yield "no member of points", archive({"a.txt": b"hello", "b.doc": b"x"}), REFUSED
    yield "a member of no bytes", archive({"a.csv": b""}), REFUSED
    yield "a stored member that is cut", archive({"a.csv": table()}, zipfile.ZIP_STORED)[:400], REFUSED
    yield "a bad row in a member", archive({"a.csv": table() + b"1,91,x\n"}), 1


def gpx():
    points = "".join(f'<wpt lat="{y}" lon="{x}"><name>n{n}</name></wpt>\n' for n, (x, y) in enumerate(places()))
    whole = ('<?xml version="1.0"?>\n<gpx version="1.1" creator="c" xmlns="http://www.topografix.com/GPX/1/1">\n'
             f"{points}</gpx>\n").encode()
    yield "cut in half", whole[:len(whole) // 2], REFUSED
    yield "no end", whole[:-8], REFUSED
    yield "a bracket that is missing", whole.replace(b"</name></wpt>\n", b"</name</wpt>\n", 1), REFUSED
    yield "bytes that are no UTF-8", whole.replace(b"n20", b"\xc3("), REFUSED
    yield "no root", whole.replace(b"<gpx", b"<gqx"), REFUSED
    yield "a latitude beyond the pole", whole.replace(b'lat="-37.8"', b'lat="91"'), 1
    # GDAL reads the first as 0 and leaves the second out, without a message.
    yield "a latitude that is no number", whole.replace(b'lat="-37.8"', b'lat="abc"'), 0
    yield "no latitude", whole.replace(b'lat="-37.8"', b""), 0
