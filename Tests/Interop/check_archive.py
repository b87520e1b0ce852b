#!/usr/bin/env python3
"""check_archive.py COVEY ARCHIVE RECIPE: reads every tile with other programs.

mapbox-vector-tile, tippecanoe-decode and GDAL must read the same features: equal layers, ids, attributes and positions;
the first two in each tile, GDAL in each zoom. `covey inspect` must print what mapbox-vector-tile reads. The counts of the
features of each zoom, inside their tiles, must add up to the number of records of the layer's sources, in every layer.
"""
import csv
import json
import pathlib
import random
import sys
from collections import Counter, defaultdict

import archive_readers as readers

# The other programs print positions with 6 decimals of a degree, or more.
ROUNDING = 1e-6


def content(feature):
    """A feature without its position, with numbers in one notation."""
    return feature.layer, feature.id, tuple(sorted(
        (name, type(value) is bool, round(value, 12) if isinstance(value, float) else value)
        for name, value in feature.properties.items()))


def distance(one, other):
    """The distance in degrees or units of a tile; GDAL moves copies from beyond the date line back."""
    return max(abs((one.lon - other.lon + 180) % 360 - 180), abs(one.lat - other.lat))


def assert_alike(where, own, other, tolerance=ROUNDING):
    """Checks that both have the same features: equal content, and positions as near as the other program prints them."""
    places = defaultdict(list)
    for feature in other:
        places[content(feature)].append(feature)
    for feature in own:
        twins = places[content(feature)]
        found = next((twin for twin in twins if distance(twin, feature) <= tolerance), None)
        assert found, f"{where} misses {feature}; it has {twins[:3]}"
        twins.remove(found)
    left = [feature for features in places.values() for feature in features]
    assert not left, f"{where} has more: {left[:3]}"


def records(file):
    text = file.read_text()
    if file.suffix == ".csv":
        return sum(1 for _ in csv.DictReader(text.splitlines()))
    return len(json.loads(text)["features"])


def check_counts(tiles, recipe):
    """Checks that at every zoom the features inside tiles have all points, in each layer."""
    recipe = pathlib.Path(recipe)
    document = json.loads(recipe.read_text())
    deepest = max(zoom for zoom, _, _ in tiles)
    points = {}
    heat = {}
    for layer in document["layers"]:
        count = sum(records(recipe.parent / source) for source in layer["sources"])
        points[layer["name"]] = count
        # The finer counts for heat also have all points; there are none if no zoom is finer.
        if document["tiles"].get("heat") and layer.get("clusters") is not False:
            heat[layer["name"] + "_heat"] = count
    sums = Counter()
    for (zoom, _, _), features in tiles.items():
        for feature, _, inside in features:
            if inside:
                sums[zoom, feature.layer] += feature.properties.get("point_count", 1)
    wanted = {
        (zoom, layer): count for zoom, _, _ in tiles
        for layer, count in (points if zoom == deepest else points | heat).items()}
    assert sums == wanted, f"points at (zoom, layer): {sums}, not {wanted}"
    return wanted.keys()


def check_tippecanoe(archive, tiles):
    theirs = readers.with_tippecanoe(archive)
    assert theirs.keys() == tiles.keys(), "tippecanoe-decode: not the same tiles"
    for tile, features in tiles.items():
        assert_alike(f"tippecanoe-decode: {tile}", [f for f, _, _ in features], theirs[tile])


def check_gdal(archive, tiles, zooms_and_layers):
    for zoom, layer in sorted(zooms_and_layers):
        own = [feature for tile, features in tiles.items() if tile[0] == zoom
               for feature, _, _ in features if feature.layer == layer]
        assert_alike(f"GDAL: z{zoom} {layer}", own, readers.with_gdal(archive, layer, zoom))


def check_inspect(covey, archive, tiles):
    for zoom in sorted({tile[0] for tile in tiles}):
        own = [feature for tile, features in tiles.items() if tile[0] == zoom
               for feature, _, inside in features if inside]
        assert_alike(f"covey inspect: z{zoom}", own, readers.with_covey(covey, archive, zoom))
    heaviest = sorted(tiles, key=lambda tile: -len(tiles[tile]))[:8]
    for tile in heaviest + random.Random(1).sample(sorted(tiles), 12):
        own = [feature._replace(lon=x, lat=y) for feature, (x, y), _ in tiles[tile]]
        assert_alike(f"covey inspect: {tile}", own,
                     readers.tile_with_covey(covey, archive, tile), tolerance=0)


def main(covey, archive, recipe):
    tiles = readers.with_mapbox(archive)
    zooms_and_layers = check_counts(tiles, recipe)
    check_tippecanoe(archive, tiles)
    check_gdal(archive, tiles, zooms_and_layers)
    check_inspect(covey, archive, tiles)
    total = sum(map(len, tiles.values()))
    assert total > 0, "there are no features"
    print(f"{archive}: {len(tiles)} tiles, {total} features read alike by four programs")


if __name__ == "__main__":
    main(*sys.argv[1:])
