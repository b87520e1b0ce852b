#!/usr/bin/env python3
"""check_blocks.py MBTILES…: checks the clusters of archives against every statement of docs/archive.md and docs/pmtiles.md
about their contents: blocks and their ends, hulls, rows, large clusters, ids, pages, outlines, and that tiles have the same
clusters.
"""
import gzip
import hashlib
import itertools
import sqlite3
import sys

from archive_clusters import ClusterIndex, shifts_of
from block_cut import block_counts, id_pages, weight_of
from cluster_ids import WORLD, cell_of
from payloads import OUTLINES, PAGE, decoded, fields, inflated, members, unpacked

IN_OUTLINES = 64
MOST_POINT_BYTES = 32 << 20


def hull_of(points):
    """The corners of the smallest convex shape around points."""
    points = sorted(set(points))
    if len(points) < 2:
        return points

    def chain(points):
        found = []
        for x, y in points:
            while len(found) >= 2 and ((found[-1][0] - found[-2][0]) * (y - found[-2][1])
                                       <= (found[-1][1] - found[-2][1]) * (x - found[-2][0])):
                found.pop()
            found.append((x, y))
        return found[:-1]

    return chain(points) + chain(points[::-1])


def pairs(numbers):
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def assert_hull(corners, points, what):
    """Whether the corners are in the same order, with any first corner."""
    at = corners.index(min(corners))
    assert corners[at:] + corners[:at] == hull_of(points), f"the hull of {what}"


def points_of(points, layer, what):
    """The positions and the weights of the points of a block."""
    tile = inflated(points, MOST_POINT_BYTES)
    [(number, body)] = fields(tile)
    values = list(fields(body))
    single = dict(value for value in values if value[0] in (1, 5, 15))
    assert (number, single) == (3, {1: layer["name"].encode(), 5: WORLD, 15: 2}), f"the layer of {what}"
    # A text is field 1 of a value; all other values count as eight bytes.
    sizes = [len(next(fields(value))[1]) if value[:1] == b"\x0a" else 8 for number, value in values if number == 4]
    found, weights = [], []
    for number, feature in values:
        if number == 2:
            feature = dict(fields(feature))
            weights.append(weight_of([sizes[value] for value in unpacked(feature.get(2, b""))[1::2]]))
            command, x, y = unpacked(feature[4], signed=True)
            # The command of one point, 9, is −5 as a zigzag number.
            assert command == -5, f"a point of {what}"
            found.append((x, y))
    return found, weights


def narrowest(positions):
    """The width of points on a world that wraps."""
    xs = sorted({x % WORLD for x, _ in positions})
    return WORLD - max(b - a for a, b in zip(xs, [*xs[1:], xs[0] + WORLD]))


def check_block(index, number, edges):
    """Checks a block's payload, points and hull. Returns the positions and the weights of its points."""
    what = f"block {number}"
    payload = index.payload(number)
    first, points = members(payload)
    assert gzip.decompress(payload) == inflated(first) + inflated(points, MOST_POINT_BYTES), f"{what} is no vector tile"
    message, _ = index.block(number)
    layer = index.covey["layers"][index.layer_of(index.firsts[number])]
    assert index.firsts[number + 1] <= layer["first"] + layer["leaves"], f"{what} goes on behind its layer"
    positions, weights = points_of(points, layer, what)
    assert len(positions) == message["leaves"] == index.overview["counts"][number], f"the points of {what}"
    corners = pairs(message["hull"])
    (west, east), (north, south) = ((min(side), max(side)) for side in zip(*corners))
    assert edges == [west, north, east, south], f"the edges of {what}"
    assert east - west <= narrowest(positions), f"{what} is laid out wider than its points"
    # Each point is moved to the copy of the world with the hull's first corner.
    around = [(x + -(-(west - x) // WORLD) * WORLD, y) for x, y in positions]
    assert_hull(corners, around, what)
    return zip(positions, weights)


def check_tree(index):
    """Intervals are nested and keys ascend; the zooms of children are deeper."""
    found = {}
    for cluster in index.clusters:
        layer, parent = index.covey["layers"][cluster.layer], found.get(cluster.parent)
        assert cluster.key not in found, f"{cluster} is there twice"
        assert layer["minZoom"] <= cluster.zoom <= layer["maxZoom"], f"the zoom of {cluster}"
        assert cluster.count >= 2, f"{cluster} has a point alone"
        most = layer["first"] + layer["leaves"]
        if cluster.parent is not None:
            assert parent, f"{cluster} has a parent behind it"
            assert parent.first <= cluster.first and parent.zoom < cluster.zoom and cluster.count < parent.count
            most = parent.end
        assert cluster.end <= most, f"{cluster} ends behind what it lies in"
        is_large = cluster.block is None
        assert is_large or cluster.count <= 4000, f"{cluster} is in the wrong list"
        assert is_large or cluster.end <= index.firsts[cluster.block + 1], f"{cluster} ends behind its block"
        found[cluster.key] = cluster
    order = [(large.blocks.start, -len(large.blocks)) for large in index.large]
    assert order == sorted(order), "the order of large clusters"
    for number in range(index.count):
        keys = [row.key for row in index.rows(number)]
        assert keys == sorted(set(keys)), f"the rows of block {number} do not ascend"
    for at, layer in enumerate(index.covey["layers"]):
        count = sum(cluster.layer == at for cluster in index.clusters)
        assert count == layer.get("clusters", 0), f"layer {at} has {count} clusters"


def check_cut(index, positions, weights):
    """Blocks end by the rules, and could not be larger."""
    wanted = []
    for at, layer in enumerate(index.covey["layers"]):
        assert layer["first"] == sum(wanted), "leaves of layers follow one another"
        own = [cluster for cluster in index.clusters if cluster.layer == at]
        leaves = slice(layer["first"], layer["first"] + layer["leaves"])
        wanted += block_counts(layer, own, positions[leaves], weights[leaves])
    if index.overview["counts"] != wanted:
        at = next(at for at, pair in enumerate(itertools.zip_longest(index.overview["counts"], wanted)) if pair[0] != pair[1])
        raise AssertionError(f"block {at}, from leaf {sum(wanted[:at])}, has {index.overview['counts'][at:at + 9]} "
                             f"points, not {wanted[at:at + 9]}")


def check_ids(index):
    """Ids are unique, each in its own square, and pages have the blocks of the clusters that are not large."""
    ids = [cluster.id for cluster in index.clusters]
    assert len(set(ids)) == len(ids), "two clusters have one id"
    for cluster in index.clusters:
        # The upper two bits of each zoom of its position.
        square = min(cluster.zoom, 11)
        place = (cluster.id - 2**52) % 2**47 >> 5
        assert place >> 42 - 2 * square == cell_of(cluster.x, cluster.y, square), f"{cluster} is named elsewhere"
    block_of = {cluster.id: cluster.block for cluster in index.clusters if cluster.block is not None}
    pages = []
    for at, _ in enumerate(index.covey["layers"]):
        pages += id_pages(sorted(c.id for c in index.clusters if c.layer == at and c.block is not None))
    assert index.pages == len(pages) == len(index.overview["listed"]), "pages"
    assert index.overview["pages"] == [page[0] for page in pages], "the first ids of pages"
    listed = iter(index.overview["blocks"])
    for at, wanted in enumerate(pages):
        kind, page, rest = decoded(index.payload(index.count + at))
        assert (kind, page["format"], rest) == (PAGE, 2, b"") and page["ids"] == wanted, f"page {at}"
        blocks = list(itertools.islice(listed, index.overview["listed"][at]))
        assert [blocks[block] for block in page["blocks"]] == [block_of[id] for id in wanted], f"the blocks of page {at}"
        assert blocks == list(dict.fromkeys(block_of[id] for id in wanted)), f"the order of blocks of page {at}"
    assert list(listed) == [], "more blocks are listed"


def check_outlines(index, hulls):
    assert index.outlines == -(-len(index.large) // IN_OUTLINES), "outlines"
    for payload in range(index.outlines):
        kind, message, rest = decoded(index.payload(index.count + index.pages + payload))
        assert (kind, message["format"], rest) == (OUTLINES, 2, b""), f"outlines {payload}"
        own = index.large[payload * IN_OUTLINES:][:IN_OUTLINES]
        corners = iter(pairs(message["corners"]))
        for large, size in zip(own, message["sizes"], strict=True):
            points = []
            for block in large.blocks:
                xs = [x for x, _ in hulls[block]]
                worlds = round((min(xs) + max(xs) - 2 * large.x) / (2 * WORLD))
                points += [(x - worlds * WORLD, y) for x, y in hulls[block]]
            assert_hull(list(itertools.islice(corners, size)), points, large)
        assert list(corners) == [], "more corners"


def drawn_clusters(tile):
    """The clusters of a tile: id, point_count, expansion_zoom, and position in parts of the tile."""
    for number, layer in fields(gzip.decompress(tile)):
        values = list(fields(layer)) if number == 3 else []
        keys = [value for number, value in values if number == 3]
        if b"cluster_id" not in keys:
            continue
        numbers = [next((value for number, value in fields_of_value(value)), None) for number, value in values if number == 4]
        extent = dict(value for value in values if value[0] == 5)[5]
        for feature in (dict(fields(value)) for number, value in values if number == 2):
            properties = {keys[key]: numbers[value] for key, value in pairs(unpacked(feature[2]))}
            if b"cluster_id" in properties:
                assert feature[1] == properties[b"cluster_id"], f"a feature of {properties[b'cluster_id']} has another id"
                _, x, y = unpacked(feature[4], signed=True)
                yield feature[1], properties[b"point_count"], properties[b"expansion_zoom"], x / extent, y / extent, 1 / extent


def fields_of_value(value):
    """An integer of a layer's values; None for texts and fractions."""
    return [found for found in fields(value) if found[0] in (4, 5)] if value[:1] in (b"\x20", b"\x28") else []


def check_drawn(index, database):
    """Tiles have each cluster at its position, from the zoom after its parent's up to its own."""
    by_id = {cluster.id: cluster for cluster in index.clusters}
    by_key = {cluster.key: cluster for cluster in index.clusters}
    zooms = [row[0] for row in database.execute("SELECT DISTINCT zoom_level FROM tiles ORDER BY 1")]
    for zoom in zooms:
        seen = set()
        for column, row, tile in database.execute(
                "SELECT tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ?", (zoom,)):
            top = (1 << zoom) - 1 - row
            for id, count, expansion, x, y, unit in drawn_clusters(tile):
                cluster = by_id.get(id)
                assert cluster, f"{id} is drawn at zoom {zoom} and is not in the index"
                assert (count, expansion) == (cluster.count, cluster.zoom + 1), f"{cluster} is drawn as {count}"
                away = ((column + x) / 2**zoom - cluster.x / WORLD + 0.5) % 1 - 0.5, (top + y) / 2**zoom - cluster.y / WORLD
                assert max(map(abs, away)) <= unit / 2**zoom, f"{cluster} is drawn {away} away"
                seen.add(id)
        wanted = {cluster.id for cluster in index.clusters if zoom <= cluster.zoom and
                  (cluster.parent is None or by_key[cluster.parent].zoom < zoom)}
        assert seen == wanted, f"zoom {zoom} draws {list(seen ^ wanted)[:9]} otherwise"


def payload_hash(payloads):
    sums = "".join(hashlib.md5(payload).hexdigest().upper() for payload in payloads)
    return hashlib.md5(sums.encode()).hexdigest().upper()


def check(index, database):
    """Runs all checks for the index of a database."""
    payloads = [index.payload(number) for number in range(index.payloads)]
    assert payload_hash(payloads) == index.covey["blocks"]["hash"], "the hash"
    [[rows, last]] = database.execute("SELECT count(*), max(block) FROM covey_blocks")
    assert (rows, last) == (index.payloads, index.payloads - 1), f"{rows} rows"
    edges = index.overview["edges"]
    assert len(edges) == 4 * index.count, "the boxes"
    positions, weights = zip(*(point for number in range(index.count)
                               for point in check_block(index, number, edges[4 * number:4 * number + 4])))
    check_tree(index)
    check_cut(index, positions, weights)
    check_ids(index)
    check_outlines(index, [pairs(index.block(number)[0]["hull"]) for number in range(index.count)])
    check_drawn(index, database)
    shifted = sum(len(shifts_of(index.block(number)[0]["shifted"])) for number in range(index.count))
    return (f"{len(positions)} points in {index.count} blocks, {len(index.clusters)} clusters, "
            f"{len(index.large)} of them large, {shifted} shifted, {index.pages} pages")


def main(*archives):
    for archive in archives:
        database = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
        print(f"{archive}: {check(ClusterIndex.of(database), database)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
