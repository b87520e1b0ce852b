"""Broken databases: GeoPackages, and SQLite with columns of coordinates."""

import os
import sqlite3
import struct
import tempfile

from broken_text import REFUSED, LeftOut, places

ROW = 21


def blob(kind=1, coordinates=(1.0, 2.0), flags=1, order=1, magic=b"GP\0", envelope=b""):
    """A geometry in the encoding of GeoPackage."""
    return magic + bytes([flags]) + struct.pack("<i", 4326) + envelope + struct.pack(
        f"<BI{len(coordinates)}d", order, kind, *coordinates)


def made(fill):
    """The bytes of a database that a function fills."""
    handle, path = tempfile.mkstemp()
    os.close(handle)
    try:
        database = sqlite3.connect(path)
        fill(database)
        database.commit()
        database.close()
        with open(path, "rb") as file:
            return file.read()
    finally:
        os.unlink(path)


def fill_geopackage(database):
    database.executescript("""
        PRAGMA application_id = 0x47504B47; PRAGMA user_version = 10300; PRAGMA page_size = 1024;
        CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id INTEGER PRIMARY KEY, organization,
            organization_coordsys_id INTEGER, definition, description);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS', '');
        CREATE TABLE gpkg_contents (table_name PRIMARY KEY, data_type, identifier, srs_id);
        INSERT INTO gpkg_contents VALUES ('inns', 'features', 'inns', 4326);
        CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m);
        INSERT INTO gpkg_geometry_columns VALUES ('inns', 'geom', 'POINT', 4326, 0, 0);
        CREATE TABLE inns (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT);""")
    for number, place in enumerate(places()):
        database.execute("INSERT INTO inns VALUES (?, ?, ?)", (number + 1, blob(coordinates=place), f"n{number}"))


def fill_table(database):
    database.executescript("PRAGMA page_size = 1024; CREATE TABLE inns (lon, lat, name)")
    database.executemany("INSERT INTO inns VALUES (?, ?, ?)",
                         [(*place, f"n{number}") for number, place in enumerate(places())])


def geometry(value):
    def fill(database):
        fill_geopackage(database)
        database.execute("UPDATE inns SET geom = ? WHERE fid = ?", (value, ROW))
    return made(fill)


def after(fill, script):
    def both(database):
        fill(database)
        database.executescript(script)
    return made(both)


# Broken geometries, and how many records are lost by each.
GEOMETRIES = {
    "a latitude beyond the pole": (blob(coordinates=(1, 91)), 1),
    "a longitude of two rounds": (blob(coordinates=(720, 1)), 1),
    "an infinite number": (blob(coordinates=(float("inf"), 1)), 1),
    "half a place": (blob(coordinates=(float("nan"), 1)), 1),
    "no magic": (blob(magic=b"XX\0"), 1),
    "an envelope that is none": (blob(flags=0x0B), 1),
    "an envelope that is missing": (blob(flags=0x09), 1),
    "an order of bytes that is none": (blob(order=7), 1),
    "an unknown kind": (blob(kind=99), 1),
    "a kind past all": (blob(kind=2**32 - 1), 1),
    "cut in the coordinates": (blob()[:-5], 1),
    "cut in the header": (blob()[:5], 1),
    "a text of no geometry": ("POINT (1", 1),
    "a number": (5, 1),
    "a lying count of points": (blob(kind=4, coordinates=())[:8] + struct.pack("<BII", 1, 4, 2**32 - 1), 1),
    "a line": (blob(kind=2, coordinates=())[:8] + struct.pack("<BIIdd", 1, 2, 1, 1, 2), 1),
    "collections in collections": (blob()[:8] + struct.pack("<BII", 1, 7, 1) * 3_000, 1),
    "null": (None, LeftOut(1)),
    "an empty place": (blob(coordinates=(float("nan"), float("nan"))), LeftOut(1)),
}


def pages(whole):
    """Damage of the file itself, the same for all databases."""
    yield "cut in half", whole[:len(whole) // 2], REFUSED
    yield "cut in the header", whole[:60], REFUSED
    yield "a page size that is none", whole[:16] + b"\x00\x07" + whole[18:], REFUSED
    yield "pages of zeros", whole[:1024] + bytes(len(whole) - 1024), REFUSED
    yield "a schema of noise", whole[:100] + b"\xff" * 600 + whole[700:], REFUSED
    yield "a format of the future", whole[:18] + b"\x09\x09" + whole[20:], REFUSED


def geopackage():
    for name, (value, lost) in GEOMETRIES.items():
        yield name, geometry(value), lost
    for name, script in {
        "a system that nothing knows": "UPDATE gpkg_geometry_columns SET srs_id = 99999; "
        "INSERT INTO gpkg_spatial_ref_sys VALUES ('x', 99999, 'EPSG', 99999, 'x', '')",
        "a table that is missing": "DROP TABLE inns",
        "a column that is missing": "UPDATE gpkg_geometry_columns SET column_name = 'shape'",
        "no table at all": "DROP TABLE inns; DELETE FROM gpkg_geometry_columns",
    }.items():
        yield name, after(fill_geopackage, script), REFUSED
    yield from pages(made(fill_geopackage))


VALUES = {
    "a latitude beyond the pole": ("lat = 91", 1),
    "a longitude of two rounds": ("lon = 720", 1),
    "metres": ("lon = 691000, lat = 5334000", 1),
    "a text": ("lon = 'abc'", 1),
    "a number with text behind": ("lon = '12x'", 1),
    "a blob": ("lon = x'0102'", 1),
    "an infinite number": ("lon = 9e999", 1),
    "a text that is no UTF-8": ("name = CAST(x'c328' AS TEXT)", 1),
    "a place that is no UTF-8": ("lon = CAST(x'c328' AS TEXT)", 1),
    "half a place": ("lat = NULL", LeftOut(1)),
    "an empty text": ("lat = ''", LeftOut(1)),
    "no place": ("lon = NULL, lat = NULL", LeftOut(1)),
}


def sqlite():
    for name, (change, lost) in VALUES.items():
        yield name, after(fill_table, f"UPDATE inns SET {change} WHERE rowid = {ROW}"), lost
    for name, script in {
        "no table": "DROP TABLE inns",
        "two tables": "CREATE TABLE bars AS SELECT * FROM inns",
        "no columns of coordinates": "ALTER TABLE inns RENAME COLUMN lon TO a",
        "a view of what is not there": "ALTER TABLE inns RENAME COLUMN lat TO b; "
        "CREATE VIEW v AS SELECT lon, lat FROM gone",
        "a view without end": "DROP TABLE inns; CREATE VIEW v AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL "
        "SELECT n + 1 FROM c) SELECT 1 AS lon, 2 AS lat FROM c",
        "a view of large texts": "DROP TABLE inns; CREATE VIEW v AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL "
        "SELECT n + 1 FROM c) SELECT 1 AS lon, 2 AS lat, zeroblob(100000000) AS t FROM c",
        "a view of itself": "DROP TABLE inns; CREATE VIEW v AS SELECT lon, lat FROM v",
    }.items():
        yield name, after(fill_table, script), REFUSED
    yield from pages(made(fill_table))
