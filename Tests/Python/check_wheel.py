"""Tests the wheel of covey without any other package.

    check_wheel.py FOLDER
"""

import collections
import datetime
import decimal
import os
import sys
from importlib import metadata, resources

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


class Shape:
    """An object of another library with a `__geo_interface__`."""

    def __init__(self, **members):
        self.__geo_interface__ = members


def refused(kind, *words, **options):
    """The message of the error that a build raises."""
    try:
        covey.build(*words, **options)
    except kind as error:
        return str(error)
    raise AssertionError(f"{words} was accepted")


def questions():
    report = covey.build(PLACES, at("list.pmtiles"), **OPTIONS)
    assert report["layers"][0]["points"] == 3, report
    assert covey.inspect(at("list.pmtiles"))
    found = covey.clusters(at("list.pmtiles"), containing=(13.4, 52.5), zoom=1)
    cluster = found["features"][0]
    leaves = covey.clusters(at("list.pmtiles"), cluster["id"], "leaves", limit=10)
    assert len(leaves["features"]) == cluster["properties"]["point_count"] == 3, (found, leaves)
    assert cluster["properties"]["total"] == 12, found
    assert covey.clusters(at("list.pmtiles"), cluster["id"], "expansion-zoom") == 2
    assert len(covey.clusters(at("list.pmtiles"), cluster["id"], "bbox")) == 4
    assert covey.clusters(at("list.pmtiles"), cluster["id"], "parent") is None
    assert covey.clusters(at("list.pmtiles"), containing=(-100, -60), zoom=3) is None
    assert covey.clusters(at("list.pmtiles"), cluster["id"], "hull")["geometry"]["type"] == "Polygon"
    assert covey.clusters(at("list.pmtiles"), cluster["id"], "tree").startswith("3 points")


def spellings():
    def point(place):
        return Shape(type="Point", coordinates=(place["lon"], place["lat"]))

    def feature(place):
        rest = {key: value for key, value in place.items() if key not in ("lon", "lat")}
        return Shape(type="Feature", properties=rest, geometry=point(place))
    features = [feature(place) for place in PLACES]
    collection = Shape(type="FeatureCollection", features=features)
    for name, points in [("generator", (place for place in PLACES)), ("features", features),
                         ("geo", collection), ("collection", collection.__geo_interface__)]:
        covey.build(points, at(f"{name}.pmtiles"), **OPTIONS)
        assert read(f"{name}.pmtiles") == read("list.pmtiles"), name
    plain = {"max_zoom": 5, "force": True}
    covey.build([(place["lon"], place["lat"]) for place in PLACES], at("pairs.pmtiles"), **plain)
    covey.build([point(place) for place in PLACES], at("points.pmtiles"), **plain)
    assert read("pairs.pmtiles") == read("points.pmtiles")
    # A collection declares its coordinate system.
    metres = {"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:3857"}},
              "features": [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [x, 0]}}
                           for x in (0, 111_319.49079327358)]}
    report = covey.build(metres, at("metres.pmtiles"), **plain)
    assert abs(report["bounds"][2] - 1) < 0.01, report["bounds"]
    odd = {"lon": 1, "lat": 2, "none": float("nan"), "day": datetime.date(2020, 1, 2), "cost": decimal.Decimal("1.5")}
    covey.build([odd], at("odd.pmtiles"), **plain)
    held = covey.clusters(at("odd.pmtiles"), containing=(1, 2), zoom=5)["features"][0]["properties"]
    assert held == {"day": "2020-01-02", "cost": 1.5}, held


def errors():
    assert "95" in refused(covey.CoveyError, [{"lon": 1, "lat": 95}], at("bad.pmtiles"))
    assert not os.path.exists(at("bad.pmtiles"))
    assert "use force=True" in refused(covey.CoveyError, PLACES, at("list.pmtiles"))
    line = Shape(type="LineString", coordinates=[(0, 0), (1, 1)])
    message = refused(covey.CoveyError, [line], at("bad.pmtiles"))
    assert "skip_non_points=True" in message and "--" not in message, message
    assert "coordinates" in refused(covey.CoveyError, [{"a": 1}], at("bad.pmtiles"))
    refused(TypeError, 5, at("bad.pmtiles"))


def failing_generator():
    """An exception in a generator is raised by the build, which leaves no archive."""
    def points():
        yield from PLACES
        raise KeyError("gone")
    assert "gone" in refused(KeyError, points(), at("bad.pmtiles"))
    assert not os.path.exists(at("bad.pmtiles"))


def records():
    """Records are read like rows of tables: their columns, missing values, and rows to delete."""
    place = collections.namedtuple("place", ["value", "x", "lat", "lon"])
    odd = [{"Longitude": 13.4, "GPS x": 99, "LATITUDE": decimal.Decimal("52.5"), "value": decimal.Decimal("3.5")},
           {"lon": float("nan"), "lat": None, "value": 1}, place(4, 99, 52.4, 13.5)]
    report = covey.build(odd, at("odd.mbtiles"), keep_points=True, **OPTIONS)
    assert report["layers"][0]["rejected"] == {"no_location": 1}, report
    found = covey.clusters(at("odd.mbtiles"), containing=(13.4, 52.5), zoom=0)["features"][0]["properties"]
    assert found["total"] == 7.5 and found["point_count"] == 2, found
    several = {"facet": ["value:2,4", "name"], "bbox": (13, 52, 14, 53), "aggregates": ["a=sum:value", "b=max:value"]}
    assert covey.build(PLACES, at("several.pmtiles"), max_zoom=4, **several)["layers"][0]["points"] == 2
    assert "radius cannot be a set" in refused(TypeError, PLACES, at("no.pmtiles"), radius={1})
    for delete, kind in [("34", TypeError), (["3\n4"], ValueError)]:
        try:
            covey.update(at("odd.mbtiles"), key="value", delete=delete)
        except kind:
            continue
        raise AssertionError(f"{delete!r} was accepted")
    for delete, removed in [([], 0), ([4.0], 1)]:
        assert covey.update(at("odd.mbtiles"), key="value", delete=delete)["update"]["removed"] == removed
    covey.serve(at("odd.mbtiles"), quiet=True).close()


def about():
    wheel = metadata.metadata("covey")
    assert covey.__version__ == wheel["Version"] and wheel["Author"] and wheel["License-Expression"] == "MIT", wheel
    assert resources.files("covey").joinpath("py.typed").is_file()
    assert all(getattr(covey, name).__doc__ for name in covey.__all__)


questions()
spellings()
errors()
failing_generator()
records()
about()
