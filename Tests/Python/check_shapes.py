"""Compares points of lines and areas with those of Shapely, from every format that has geometries.

    check_shapes.py FOLDER
"""

import json
import os
import random
import sys

import geopandas
import pandas
import shapely
from shapely import affinity

import covey

WORK = sys.argv[1]
OPTIONS = {"max_zoom": 4, "radius": 2000, "force": True}
RULES = ["centroid", "inside", "first"]


def ring(chance, centre, size):
    """A star, whose centroid is often outside of it."""
    count = chance.randint(3, 12)
    corners = []
    for index in range(count):
        reach = size * chance.uniform(0.2, 1)
        star = affinity.rotate(shapely.Point(reach, 0), 360 * index / count, origin=(0, 0))
        corners.append((centre[0] + star.x, centre[1] + star.y))
    return corners


def area(chance):
    centre = (chance.uniform(-150, 150), chance.uniform(-70, 70))
    size = 10 ** chance.uniform(-3, 0.5)
    holes = [ring(chance, centre, size * 0.15)] if chance.random() < 0.4 else []
    shape = shapely.Polygon(ring(chance, centre, size), holes)
    return shape if shape.is_valid else area(chance)


def line(chance):
    x, y = chance.uniform(-150, 150), chance.uniform(-70, 70)
    step = 10 ** chance.uniform(-3, 0)
    return shapely.LineString([(x + chance.uniform(-step, step), y + chance.uniform(-step, step))
                               for _ in range(chance.randint(2, 8))])


def near(shape):
    x, y = shape.representative_point().coords[0][:2]
    return affinity.translate(shape, 10 - x + 2 * shape.length, 50 - y)


def shapes(chance):
    made = []
    for index in range(120):
        # The parts are moved together: GEOS computes relative to the first vertex, which loses digits if parts are far away.
        some = [near(make(chance)) for make in chance.choices([area, line], k=3)]
        lines = [line(chance) for _ in range(2)]
        kinds = [area(chance), line(chance), shapely.MultiLineString(lines), shapely.GeometryCollection(some),
                 shapely.GeometryCollection([shapely.Point(1, 2), *lines])]
        areas = [near(area(chance)), near(area(chance))]
        if areas[0].disjoint(areas[1]):
            kinds.append(shapely.MultiPolygon(areas))
        if chance.random() < 0.3:
            kinds.append(shapely.force_3d(area(chance), 7))
        made.append(chance.choice(kinds))
    return geopandas.GeoDataFrame({"number": range(len(made))}, geometry=made, crs=4326)


def write(frame):
    """Writes the shapes to files of all formats. Returns their paths, and the frame itself."""
    def at(name):
        return os.path.join(WORK, name)
    frame.to_file(at("shapes.geojson"), driver="GeoJSON", COORDINATE_PRECISION=15)
    frame.to_file(at("shapes.gpkg"))
    frame.set_geometry(shapely.force_2d(frame.geometry)).to_file(at("shapes.fgb"))
    frame.to_parquet(at("shapes.parquet"))
    frame.to_feather(at("shapes.feather"), compression="lz4")
    plain = pandas.DataFrame({"number": frame["number"]})
    plain.assign(geom=shapely.to_wkt(frame.geometry, rounding_precision=-1)).to_csv(at("wkt.csv"), index=False)
    plain.assign(geom=shapely.to_wkb(frame.geometry, hex=True)).to_csv(at("wkb.csv"), index=False)
    plain.assign(geom=shapely.to_geojson(frame.geometry)).to_csv(at("json.csv"), index=False)
    return [at(name) for name in ("shapes.geojson", "shapes.gpkg", "shapes.fgb", "shapes.parquet", "shapes.feather",
                                  "wkt.csv", "wkb.csv", "json.csv")] + [frame]


def points(source, rule):
    """The point of each shape, by the number of the shape."""
    archive = os.path.join(WORK, "shapes.pmtiles")
    covey.build(source, archive, points_from=rule, **OPTIONS)
    # All points, from the blocks of leaves.
    found = covey.clusters(archive, containing=(0, 0), zoom=0)["features"][0]
    leaves = covey.clusters(archive, found["id"], "leaves", limit=100_000)["features"]
    return {leaf["properties"]["number"]: shapely.Point(leaf["geometry"]["coordinates"]) for leaf in leaves}


def check(shape, point, rule, where):
    # Positions are rounded to a quarter of a billion steps around the world.
    near = 4e-7
    if rule == "centroid":
        expected = shapely.centroid(shape)
    elif rule == "first":
        expected = shapely.Point(shapely.get_coordinates(shape)[0])
    else:
        parts = shapely.get_parts(shape).tolist() if hasattr(shape, "geoms") else [shape]
        dimension = max(shapely.get_dimensions(part) for part in parts)
        expected = shapely.GeometryCollection([p for p in parts if shapely.get_dimensions(p) == dimension])
    assert point.distance(expected) < near, (where, rule, shape.wkt, point.wkt, expected.wkt)


def main():
    frame = shapes(random.Random(7))
    for source in write(frame):
        where = source if isinstance(source, str) else "a frame"
        for rule in RULES:
            found = points(source, rule)
            assert len(found) == len(frame), (where, rule, len(found))
            for number, point in found.items():
                check(frame.geometry[number], point, rule, where)
        try:
            covey.build(source, os.path.join(WORK, "refused.pmtiles"), force=True)
        except covey.CoveyError as error:
            assert "points_from=" in str(error), error
        else:
            raise AssertionError(f"{where}: lines and areas were accepted without points_from")


main()
