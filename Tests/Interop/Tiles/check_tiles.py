"""Reads tiles with mapbox-vector-tile and GDAL, and compares them with the input.

    check_tiles.py FOLDER    pairs of tile-N.mvt and tile-N.json, as interop-tiles writes them
"""

import json
import math
import pathlib
import subprocess
import sys

import mapbox_vector_tile


def wanted_features(layer):
    for feature in layer["features"]:
        yield feature.get("id"), feature["properties"], feature["type"], feature["parts"]


def parts_of(geometry, close=True):
    """The parts of a GeoJSON geometry; rings without the last position, which repeats the first."""
    kind, places = geometry["type"], geometry["coordinates"]
    if kind == "Point":
        return "point", [[places]]
    if kind == "MultiPoint":
        return "point", [places]
    if kind == "LineString":
        return "lineString", [places]
    if kind == "MultiLineString":
        return "lineString", places
    rings = places if kind == "Polygon" else [ring for polygon in places for ring in polygon]
    return "polygon", [ring[:-1] for ring in rings]


def same_number(a, b):
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-9)


def same_properties(found, wanted):
    if found.keys() != wanted.keys():
        return False
    for key, value in wanted.items():
        other = found[key]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if isinstance(other, bool) or not same_number(other, value):
                return False
        elif type(other) is not type(value) or other != value:
            return False
    return True


def same_parts(found, wanted, ring):
    """Whether the positions are equal; a ring may begin anywhere and, in GDAL, have the other direction."""
    if len(found) != len(wanted):
        return False
    for one, other in zip(found, wanted):
        one = [tuple(round(value, 6) for value in place) for place in one]
        other = [tuple(place) for place in other]
        if ring:
            one, other = sorted(one), sorted(other)
        if one != other:
            return False
    return True


def check(reader, name, found, wanted):
    found, wanted = list(found), list(wanted)
    assert len(found) == len(wanted), f"{reader}: {name}: {len(found)} features, not {len(wanted)}"
    for place, (one, other) in enumerate(zip(found, wanted)):
        where = f"{reader}: {name}, feature {place}"
        assert one[0] == other[0], f"{where}: id {one[0]}, not {other[0]}"
        assert same_properties(one[1], other[1]), f"{where}: {one[1]}, not {other[1]}"
        assert one[2] == other[2], f"{where}: {one[2]}, not {other[2]}"
        assert same_parts(one[3], other[3], one[2] == "polygon"), f"{where}: {one[3]}, not {other[3]}"
    return len(found)


def read_with_mapbox(tile, layer):
    for feature in tile[layer["name"]]["features"]:
        yield feature.get("id") or None, feature["properties"], *parts_of(feature["geometry"])


def read_with_gdal(path, layer):
    command = ["ogr2ogr", "-f", "GeoJSON", "-lco", "COORDINATE_PRECISION=9", "/vsistdout/", path,
               layer["name"], "-oo", "CLIP=NO"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for feature in json.loads(text)["features"]:
        properties = {key: value for key, value in feature["properties"].items()
                      if value is not None}
        number = properties.pop("mvt_id", None)
        booleans = {"Größe"}
        for key in booleans & properties.keys():
            properties[key] = bool(properties[key])
        kind, parts = parts_of(feature["geometry"])
        # Without a position in the world, GDAL's y axis points up.
        extent = layer["extent"]
        yield number, properties, kind, [[(x, extent - y) for x, y in part] for part in parts]


def main(folder):
    features = 0
    paths = sorted(pathlib.Path(folder).glob("*.mvt"))
    for path in paths:
        wanted = json.loads(path.with_suffix(".json").read_text())
        tile = mapbox_vector_tile.decode(
            path.read_bytes(), default_options={"y_coord_down": True})
        assert list(tile) == [layer["name"] for layer in wanted["layers"]]
        for layer in wanted["layers"]:
            read = tile[layer["name"]]
            assert (read["extent"], read["version"]) == (layer["extent"], layer["version"])
            name = f"{path.name}, layer {layer['name']}"
            features += check("mapbox-vector-tile", name, read_with_mapbox(tile, layer),
                              wanted_features(layer))
            check("GDAL", name, read_with_gdal(path, layer), wanted_features(layer))
    assert features > 0, "there are no tiles"
    print(f"{len(paths)} tiles with {features} features read equal in both readers")


main(sys.argv[1])
