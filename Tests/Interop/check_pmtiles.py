#!/usr/bin/env python3
"""check_pmtiles.py COVEY MBTILES PMTILES: holds a pair of PMTiles files against the same build as MBTiles.

Both files are held to every rule that public verifiers check; the `pmtiles` package must find every
tile, GDAL (in pyogrio) every feature, and what docs/pmtiles.md says of cluster blocks, read here by
it alone, must give the index and the leaf blocks of the database.
"""
import functools
import gzip
import itertools
import json
import pathlib
import sqlite3
import subprocess
import sys

import pmtiles.reader
from pmtiles.reader import MmapSource, Reader
from pmtiles.tile import deserialize_directory, deserialize_header, tileid_to_zxy

from cluster_ids import ids_of

# The package reads the directories anew for each tile: 20 ms each.
pmtiles.reader.deserialize_directory = functools.lru_cache(64)(deserialize_directory)


def directories(data, header, offset, length):
    """The entries of tiles, through all directories."""
    for entry in deserialize_directory(data[offset:offset + length]):
        if entry.run_length:
            yield entry
        else:
            yield from directories(data, header, header["leaf_directory_offset"] + entry.offset, entry.length)


def check_rules(path):
    """What verifiers of PMTiles 3 check of an archive, whatever its tiles hold."""
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
    """The package's own reader must find each tile of the database, byte by byte, and no other."""
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
    covey = dict(metadata["covey"])
    covey.pop("blocks", None)
    assert covey == json.loads(rows["covey"])
    return count, metadata["covey"]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield tag >> 3, value


def unpacked(data, signed=False):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append((value >> 1) ^ -(value & 1) if signed else value)
    return values


def message(data, wanted):
    return next(value for number, value in fields(data) if number == wanted)


def rows_of(index):
    """The rows of an index: key, leaves, x, y, key of the parent."""
    lists = {6: [], 7: [], 8: [], 9: [], 10: []}
    for number, value in fields(index):
        if number in lists:
            lists[number] = unpacked(value, signed=number > 8)
    rows, stack, first = [], [], 0
    for step, zoom, count, x, y in zip(*lists.values()):
        first += step
        while stack and stack[-1][0] <= first:
            stack.pop()
        _, parent, px, py = stack[-1] if stack else (None, None, 0, 0)
        key = first << 5 | zoom
        rows.append((key, count, x + px, y + py, parent))
        stack.append((first + count, key, x + px, y + py))
    return rows


def check_blocks(database, path, covey):
    """Payloads, read by docs/pmtiles.md, hold the leaf blocks and the index of the database."""
    size = covey["leavesInBlock"]
    with open(path, "rb") as file:
        reader = Reader(MmapSource(file))
        index = []
        blocks = list(database.execute("SELECT block, data FROM covey_leaf_blocks ORDER BY block"))
        assert len(blocks) == covey["blocks"]["count"]
        for number, leaves in blocks:
            payload = reader.get(*tileid_to_zxy(number))
            assert payload[:4] == b"\x1f\x8b\x08\x04" and payload[10:16] == b"\x08\0Cv\x04\0"
            length = int.from_bytes(payload[16:20], "little")
            assert payload[length:] == leaves, f"leaf block {number}"
            first = gzip.decompress(payload[:length])
            # All of it is one vector tile, the index in a field that no reader of tiles knows.
            assert gzip.decompress(payload) == first + gzip.decompress(leaves)
            index += [
                row for row in rows_of(message(first, 100))
                if number * size <= row[0] >> 5 < (number + 1) * size]
        pages = covey["blocks"].get("pages", 0)
        overview = dict(fields(message(gzip.decompress(reader.get(*tileid_to_zxy(len(blocks) + pages))), 101)))
        assert len(unpacked(overview[2], signed=True)) == 4 * len(blocks)
        check_ids(database, [reader.get(*tileid_to_zxy(len(blocks) + page)) for page in range(pages)],
                  unpacked(overview.get(3, b""), signed=False))
    expected = [
        (key, leaves, x, y, None if up is None else key - up)
        for key, leaves, x, y, up in database.execute(
            "SELECT key, leaves, x, y, up FROM covey_clusters ORDER BY key")]
    assert index == expected, "the index"
    return len(index)


def check_ids(database, pages, firsts):
    """Pages lead from the ids that docs/archive.md tells of to the keys of their clusters."""
    found = {}
    for page, first in zip(pages, itertools.accumulate(firsts)):
        lists = dict(fields(message(gzip.decompress(page), 102)))
        ids = list(itertools.accumulate(unpacked(lists[2], signed=False)))
        leaves = itertools.accumulate(unpacked(lists[3], signed=True))
        assert ids[0] == first and len(ids) <= 4096
        assert list(found)[-1:] < ids[:1], "pages ascend"
        found |= {id: leaf << 5 | id % 32 for id, leaf in zip(ids, leaves)}
    assert found == {id: key for key, id in ids_of(database).items()}, "the ids"
    assert [data for _, data in database.execute("SELECT * FROM covey_cluster_ids ORDER BY first")] == pages


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
    tiles, account = check_tiles(database, archive, header)
    rows = check_blocks(database, clusters, account)
    zooms = range(header["min_zoom"], min(header["max_zoom"], 6) + 1)
    features = check_gdal(mbtiles, archive, zooms)
    subprocess.run([covey, "verify", archive, "--quiet"], check=True)
    print(f"{pathlib.Path(archive).name}: {tiles} tiles, {rows} clusters, {features} features by GDAL, all rules hold")


main(*sys.argv[1:])
