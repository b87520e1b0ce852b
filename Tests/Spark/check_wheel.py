"""What the wheel of covey can do: without any other package, and with tables.

    check_wheel.py FOLDER [tables]
"""

import os
import sys

import covey

WORK = sys.argv[1]
PLACES = [{"lon": 13.4, "lat": 52.5, "name": "Berlin", "value": 3}, {"lon": 13.5, "lat": 52.4, "value": 4},
          {"lon": -0.1, "lat": 51.5, "name": "London", "value": 5}]
OPTIONS = {"radius": 40, "max_zoom": 5, "aggregates": {"total": "sum:value"}, "force": True}


def at(name):
    return os.path.join(WORK, name)


def read(name):
    with open(at(name), "rb") as file:
        return file.read()


def plain():
    report = covey.build(PLACES, at("list.pmtiles"), **OPTIONS)
    assert report["layers"][0]["points"] == 3, report
    held = covey.inspect(at("list.pmtiles"))
    assert held, held
    found = covey.clusters(at("list.pmtiles"), containing=(13.4, 52.5), zoom=1)
    cluster = found["features"][0]
    leaves = covey.clusters(at("list.pmtiles"), cluster["id"], "leaves", limit=10)
    assert len(leaves["features"]) == cluster["properties"]["point_count"] == 3, (found, leaves)
    assert cluster["properties"]["total"] == 12, found
    assert covey.clusters(at("list.pmtiles"), cluster["id"], "expansion-zoom") == 2
    assert len(covey.clusters(at("list.pmtiles"), cluster["id"], "bbox")) == 4
    try:
        covey.build([{"lon": 1, "lat": 95}], at("bad.pmtiles"))
    except covey.CoveyError as error:
        assert "95" in str(error), error
    else:
        raise AssertionError("a latitude of 95 was taken")
    assert not os.path.exists(at("bad.pmtiles"))


def tables():
    import geopandas
    import pandas
    import pyarrow

    frame = pandas.DataFrame(PLACES)
    arrow = pyarrow.Table.from_pylist(PLACES)
    shapes = geopandas.points_from_xy(frame["lon"], frame["lat"], crs=4326)
    geo = geopandas.GeoDataFrame(frame.drop(columns=["lon", "lat"]), geometry=shapes).set_geometry("geometry")
    for name, points in [("pandas", frame), ("arrow", arrow), ("geopandas", geo)]:
        covey.build(points, at(f"{name}.pmtiles"), **OPTIONS)
        assert read(f"{name}.pmtiles") == read("list.pmtiles"), name
    # In another system: put back into degrees, which rounds.
    report = covey.build(geo.to_crs(25832), at("utm.pmtiles"), **OPTIONS)
    assert report["layers"][0]["points"] == 3, report


tables() if len(sys.argv) > 2 else plain()
