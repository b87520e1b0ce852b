#!/usr/bin/env python3
"""check_pmtiles.py COVEY MBTILES PMTILES: compares a pair of PMTiles files with the same build as MBTiles.

Both files must follow every rule that public verifiers check. The `pmtiles` package must find every tile, and GDAL (in
pyogrio) every feature. The file of clusters must have the payloads of the database, and these must be correct by
docs/pmtiles.md (check_blocks.py).
"""
import functools
import json
import pathlib
import sqlite3
import subprocess
import sys

import pmtiles.reader
from pmtiles.reader import MmapSource, Reader
from pmtiles.tile import deserialize_directory, deserialize_header, tileid_to_zxy

import check_blocks
from archive_clusters import ClusterIndex

# The package reads the directories again for each tile, which takes 20 ms.
pmtiles.reader.deserialize_directory = functools.lru_cache(64)(deserialize_directory)


def directories(data, header, offset, length):
    """The entries of tiles, through all directories."""
    for entry in deserialize_directory(data[offset:offset + length]):
        if entry.run_length:
            yield entry
        else:
            yield from directories(data, header, header["leaf_directory_offset"] + entry.offset, entry.length)


def check_rules(path):
    """The checks of verifiers of PMTiles 3, without the contents of tiles."""
    data = pathlib.Path(path).read_bytes()
    header = deserialize_header(data[:127])
    sections = ["root", "metadata", "leaf_directory", "tile_data"]
    for section in sections:
        assert header[f"{section}_offset"] > 0, f"{section} begins at 0"
        assert header[f"{section}_length"] <= len(data), f"{section} is too long"
    assert 127 + sum(header[f"{section}_length"] for section in sections) == len(data), "lengths"
    assert header["root_offset"] + header["root_length"] <= 16_384, "the root directory is too long"
    entries = list(directories(data, header, header["root_offset"], header["root_length"]))
    ids = [entry.tile_id for entry in entries]
    assert ids == sorted(set(ids)), "ids do not ascend"
    seen, end = set(), 0
    for entry in entries:
        assert entry.offset + entry.length <= header["tile_data_length"], "outside of the tile data"
        if entry.offset not in seen:
            assert not header["clustered"] or entry.offset == end, f"{entry.tile_id} is out of order"
            seen.add(entry.offset)
            end += entry.length
    assert header["addressed_tiles_count"] == sum(entry.run_length for entry in entries)
    assert header["tile_entries_count"] == len(entries)
    assert header["tile_contents_count"] == len(seen)
    assert header["min_zoom"] == tileid_to_zxy(ids[0])[0], "minimum zoom"
    assert header["max_zoom"] == tileid_to_zxy(ids[-1])[0], "maximum zoom"
    assert header["min_zoom"] <= header["center_zoom"] <= header["max_zoom"], "center zoom"
    assert header["min_lon_e7"] < header["max_lon_e7"] and header["min_lat_e7"] < header["max_lat_e7"], "no area"
    return header, entries


def check_tiles(database, path, header):
    """The package's reader must find each tile of the database with the same bytes, and no other."""
    with open(path, "rb") as file:
        reader = Reader(MmapSource(file))
        count = 0
        for z, x, row, data in database.execute(
                "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
            assert reader.get(z, x, 2**z - 1 - row) == data, f"tile {z}/{x}/{2**z - 1 - row}"
            count += 1
        assert count == header["addressed_tiles_count"]
        metadata = reader.metadata()
    rows = dict(database.execute("SELECT name, value FROM metadata"))
    for name in ("name", "description", "generator", "generator_options"):
        assert metadata[name] == rows[name], name
    for name, value in json.loads(rows["json"]).items():
        assert metadata[name] == value, name
    assert metadata["covey"] == json.loads(rows["covey"])
    return count


def check_clusters(database, path):
    """The file of clusters has the payloads of the database, and these are correct."""
    index = ClusterIndex.of(database)
    with open(path, "rb") as file:
        reader = Reader(MmapSource(file))
        assert reader.metadata()["covey"] == index.covey
        for number in range(index.payloads):
            assert reader.get(*tileid_to_zxy(number)) == index.payload(number), f"payload {number}"
        assert reader.header()["addressed_tiles_count"] == index.payloads
    return check_blocks.check(index, database)


def check_gdal(database, archive, zooms):
    import pyogrio
    assert pyogrio.__gdal_version__ >= (3, 8)
    features = 0
    for layer, _ in pyogrio.list_layers(archive):
        for zoom in zooms:
            ours, theirs = (
                pyogrio.raw.read(path, layer=layer, ZOOM_LEVEL=str(zoom), CLIP="NO")
                for path in (archive, database))
            assert sorted(map(bytes, ours[2])) == sorted(map(bytes, theirs[2])), f"GDAL at zoom {zoom}"
            features += len(ours[2])
    return features


def main(covey, mbtiles, archive):
    database = sqlite3.connect(f"file:{mbtiles}?mode=ro", uri=True)
    clusters = archive.removesuffix(".pmtiles") + ".clusters.pmtiles"
    header, _ = check_rules(archive)
    check_rules(clusters)
    tiles = check_tiles(database, archive, header)
    summary = check_clusters(database, clusters)
    zooms = range(header["min_zoom"], min(header["max_zoom"], 6) + 1)
    features = check_gdal(mbtiles, archive, zooms)
    subprocess.run([covey, "verify", archive, "--quiet"], check=True)
    print(f"{pathlib.Path(archive).name}: {tiles} tiles, {summary}, {features} features by GDAL, all rules hold")


main(*sys.argv[1:])
