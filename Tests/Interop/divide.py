"""divide.py MBTILES SIZE: divides an archive's overview into chapters of SIZE blocks, by docs/pmtiles.md."""
import itertools
import json
import sqlite3
import sys

from archive_clusters import ClusterIndex
from check_blocks import payload_hash
from cluster_ids import WORLD
from payloads import CONTENTS, FIELDS, OVERVIEW, encoded


def rows(large, first=0):
    """The lists of some large clusters, whose blocks are numbered from this one on."""
    lists, stack = {name: [] for name in ("begins", "lengths", "zooms", "xs", "ys", "shifted")}, []
    last = 0
    for at, (begin, length, zoom, x, y, shift) in enumerate(large):
        while stack and stack[-1][0] + stack[-1][1] <= begin:
            stack.pop()
        above = stack[-1][3:5] if stack else (0, 0)
        values = begin - first, length, zoom, x - above[0], y - above[1]
        for name, value in zip(lists, values):
            lists[name].append(value)
        if shift:
            lists["shifted"] += [at - last, shift]
            last = at
        stack.append((begin, length, zoom, x, y))
    return lists


def boxes_of(edges):
    return [edges[at:at + 4] for at in range(0, len(edges), 4)]


def around(boxes):
    """The smallest box around boxes on a world that does not wrap."""
    wests, norths, easts, souths = zip(*(boxes or [[0] * 4]))
    return [min(wests), min(norths), max(easts), max(souths)]


def narrowest(boxes):
    """The narrowest box around boxes on a world that wraps. It begins where one of them does."""
    def width(start):
        return max((box[0] - start) % WORLD + box[2] - box[0] for box in boxes)
    _, north, _, south = around(boxes)
    west = min(sorted(box[0] for box in boxes), key=width)
    return [west, north, west + width(west), south]


def message(kind, **lists):
    """A message with the other lists empty."""
    return encoded(kind, {name: [] if field.is_list else 2 for name, field in FIELDS[kind].items()} | lists)


def divided(index, size):
    """The payloads of the chapters, and of the contents after them."""
    view, large = index.overview, index.rows_of_large
    boxes = boxes_of(view["edges"])
    count = -(-max(index.count, index.pages) // size)
    parts = [slice(at * size, (at + 1) * size) for at in range(count)]
    firsts = [pages[0] for pages in (view["pages"][part] for part in parts) if pages]
    listed = [0, *itertools.accumulate(view["listed"])]
    wide = [(at, row) for at, row in enumerate(large) if row[0] // size != (row[0] + row[1] - 1) // size]
    named = [[] for _ in parts]
    for cluster in index.large:
        chapter = max(sum(first <= cluster.id for first in firsts) - 1, 0)
        named[chapter].append((cluster.id, cluster.blocks.start))
    payloads = []
    for number, part in enumerate(parts):
        own = [row for row in large if row[0] // size == number
               and (row[0] + row[1] - 1) // size == number]
        pages = range(*part.indices(index.pages))
        payloads.append(message(
            OVERVIEW, edges=[edge for box in boxes[part] for edge in box], pages=view["pages"][part], counts=view["counts"][part],
            listed=view["listed"][part], blocks=[block for page in pages for block in view["blocks"][listed[page]:listed[page + 1]]],
            names=[id for id, _ in sorted(named[number])], namedBlocks=[block for _, block in sorted(named[number])],
            **rows(own, number * size)))
    chapters = [boxes[part] for part in parts]
    contents = message(
        CONTENTS, edges=[edge for own in chapters for edge in around(own)], pages=firsts,
        counts=[sum(view["counts"][part]) for part in parts],
        large=[sum(row[0] // size == number for row in large) for number in range(count)],
        numbers=[at for at, _ in wide], firsts=[index.firsts[row[0]] for _, row in wide],
        leaves=[index.firsts[row[0] + row[1]] - index.firsts[row[0]] for _, row in wide],
        wideEdges=[edge for _, row in wide for edge in narrowest(boxes[row[0]:row[0] + row[1]])],
        **rows([row for _, row in wide]))
    return [*payloads, contents]


def main(path, size):
    database = sqlite3.connect(path)
    index = ClusterIndex.of(database)
    assert not index.chapters, "it has chapters already"
    payloads = divided(index, int(size))
    before = [index.payload(number) for number in range(index.payloads - 1)]
    covey = index.covey | {"format": 5}
    covey["blocks"] |= {"chapter": int(size), "hash": payload_hash([*before, *payloads])}
    with database:
        database.execute("DELETE FROM covey_blocks WHERE block = ?", (len(before),))
        database.executemany("INSERT INTO covey_blocks VALUES (?, ?)", enumerate(payloads, len(before)))
        database.execute("UPDATE metadata SET value = ? WHERE name = 'covey'", (json.dumps(covey),))
    database.close()
    print(f"{path}: {len(payloads) - 1} chapters, {sum(len(payload) for payload in payloads)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
