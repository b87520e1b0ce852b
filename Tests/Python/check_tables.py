"""Tests tables of other packages: each builds the same archive as a list of dicts.

    check_tables.py FOLDER
"""

import json
import os
import sys
import uuid

import deltalake
import duckdb
import geopandas
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import shapely
from pyiceberg.catalog import load_catalog

import covey

WORK = sys.argv[1]
PLACES = [{"lon": 13.4, "lat": 52.5, "name": "Berlin", "value": 3}, {"lon": 13.5, "lat": 52.4, "value": 4},
          {"lon": -0.1, "lat": 51.5, "name": "London", "value": 5}]
OPTIONS = {"radius": 40, "max_zoom": 5, "aggregates": {"total": "sum:value"}, "force": True}
PLAIN = {"max_zoom": 5, "force": True}


def built(points, **options):
    path = os.path.join(WORK, "table.pmtiles")
    covey.build(points, path, **options)
    with open(path, "rb") as file:
        return file.read()


def kept(points, **options):
    """The attributes that the points of an archive have."""
    built(points, no_clusters=True, **options, **PLAIN)
    metadata = covey.inspect(os.path.join(WORK, "table.pmtiles"))["metadata"]
    return set(metadata["json"]["vector_layers"][0]["fields"])


def in_files(arrow):
    """Tables in files with the same rows, written in two commits."""
    for rows in (arrow.slice(0, 2), arrow.slice(2)):
        deltalake.write_deltalake(os.path.join(WORK, "delta"), rows, mode="append")
    os.mkdir(os.path.join(WORK, "iceberg"))
    catalog = load_catalog("tests", type="sql", uri=f"sqlite:///{WORK}/catalog.db", warehouse=f"file://{WORK}/iceberg")
    catalog.create_namespace("maps")
    iceberg = catalog.create_table("maps.places", schema=arrow.schema)
    for rows in (arrow.slice(0, 2), arrow.slice(2)):
        iceberg.append(rows)
    pyarrow.dataset.write_dataset(arrow, os.path.join(WORK, "dataset"), format="parquet")
    return {"Delta": deltalake.DeltaTable(os.path.join(WORK, "delta")), "Iceberg": iceberg.scan(),
            "dataset": pyarrow.dataset.dataset(os.path.join(WORK, "dataset"))}


def main():
    frame = pandas.DataFrame(PLACES)
    arrow = pyarrow.Table.from_pylist(PLACES)
    shapes = geopandas.points_from_xy(frame["lon"], frame["lat"], crs=4326)
    geo = geopandas.GeoDataFrame(frame.drop(columns=["lon", "lat"]), geometry=shapes).set_geometry("geometry")
    tables = {
        "pandas": frame, "categories": frame.assign(name=frame["name"].astype("category")), "Arrow": arrow,
        "batch": arrow.to_batches()[0], "reader": arrow.to_reader(), "Polars": polars.DataFrame(PLACES),
        "lazy": polars.LazyFrame(PLACES), "scanner": pyarrow.dataset.dataset(arrow).scanner(),
        "DuckDB": duckdb.sql("SELECT * FROM frame"), "GeoPandas": geo, "index": geo.set_index("name"),
        "GeoArrow, WKB": geo.to_arrow(index=False),
        "GeoArrow, points": geo.to_arrow(index=False, geometry_encoding="geoarrow"),
        "features": ({**each, "id": None} for each in geo.iterfeatures(na="drop")), **in_files(arrow),
    }
    expected = built(PLACES, **OPTIONS)
    for name, points in tables.items():
        assert built(points, **OPTIONS) == expected, name

    bare = built([(place["lon"], place["lat"]) for place in PLACES], **PLAIN)
    alone = {
        "series": geo.geometry, "array": geo.geometry.to_arrow(), "shapely": list(geo.geometry),
        "GeoArrow": geo.geometry.to_arrow(geometry_encoding="geoarrow"),
        "NumPy": numpy.array([(place["lon"], place["lat"]) for place in PLACES]),
    }
    for name, points in alone.items():
        assert built(points, **PLAIN) == bare, name

    # The active geometry is used, whatever its name and the other columns are.
    moved = geo.rename_geometry("pos").assign(lon=0.0, lat=1.0, geom=b"x", other=geo.geometry)
    noted = built(moved.drop(columns=["lon", "lat", "geom"]), **OPTIONS)
    assert noted == expected
    report = covey.build(moved, os.path.join(WORK, "moved.pmtiles"), **PLAIN)
    assert abs(report["bounds"][2] - 13.5) < 0.01, report["bounds"]
    # The declared coordinate system takes precedence over `crs`.
    report = covey.build(geo.to_crs(25832), os.path.join(WORK, "moved.pmtiles"), crs=25832, **PLAIN)
    assert abs(report["bounds"][2] - 13.5) < 0.01, report["bounds"]
    named = geo.geometry.set_axis(pandas.Index([7, 8, 9], name="ref"))
    numbered = geopandas.GeoDataFrame({"ref": [7, 8, 9]}, geometry=list(geo.geometry), crs=4326)
    assert built(named, id="ref", **PLAIN) == built(numbered, id="ref", **PLAIN)
    names = [uuid.UUID(int=number << 64 | 7) for number in range(3)]
    assert built(frame.assign(name=names), **PLAIN) == built(frame.assign(name=list(map(str, names))), **PLAIN)
    months = frame.assign(month=pandas.period_range("2024-01", periods=3, freq="M"))
    texts = months.assign(month=months["month"].astype(str))
    assert built(months, facet=["name", "month:month"], **PLAIN) == built(texts, facet=["name", "month:month"], **PLAIN)
    assert built(months, **PLAIN) != built(months.drop(columns="month"), **PLAIN)

    # A name in a list is one name.
    commas = frame.rename(columns={"value": "a,b"})
    assert kept(commas, exclude=["a,b"]) == {"name"}
    assert kept(commas, include=["a,b"]) == {"a,b"}
    assert kept(frame, include="value,name") == {"value", "name"}
    try:
        built(polars.DataFrame(PLACES).with_columns(polars.col("value").cast(polars.Int128)), **PLAIN)
        assert False, "a column of a type that Arrow has not"
    except TypeError as error:
        assert "types that Arrow does not know, value: cast" in str(error), error

    live = os.path.join(WORK, "live.mbtiles")
    covey.build(PLACES, live, keep_points=True, max_zoom=5)
    report = covey.update(live, frame[:1].assign(value=9), key="name", delete=["London", "Rome"])
    counts = {
        "added": 0, "replaced": 1, "removed": 1, "unknown": 1, "records": 1,
        "superseded": 0, "marked": 0, "leaving": 0, "rejected": {}, "notes": [],
    }
    assert report["update"] == counts, report["update"]
    tiles = os.path.join(WORK, "tiles.tsv")
    assert covey.update(live, [(1.0, 2.0)], changes_file=tiles)["update"]["added"] == 1
    with open(tiles) as file:
        assert "0/0/0\tchanged\n" in file.readlines()

    # Tables in another coordinate system are converted to degrees, which rounds.
    metres = geo.to_crs(3857)
    for name, points in [("frame", metres), ("series", metres.geometry), ("Arrow", metres.to_arrow()),
                         ("collection", json.loads(metres.to_json()))]:
        report = covey.build(points, os.path.join(WORK, "utm.pmtiles"), **PLAIN)
        assert abs(report["bounds"][2] - 13.5) < 0.01, (name, report["bounds"])
    report = covey.build(
        [shapely.Point(1_491_681, 6_891_041)], os.path.join(WORK, "utm.pmtiles"), crs=metres.crs, **PLAIN)
    assert abs(report["bounds"][0] - 13.4) < 0.01, report["bounds"]


main()
