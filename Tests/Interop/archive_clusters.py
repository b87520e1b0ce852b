"""Reads the clusters of an archive of format 4 or 5, by docs/archive.md and docs/pmtiles.md.

    index = ClusterIndex.of(database)          # an MBTiles file
    index = ClusterIndex(covey, payload)       # a function that returns payload K
    for cluster in index.clusters: …           # by ascending key
"""
import bisect
import functools
import itertools
import json
from typing import NamedTuple

from cluster_ids import id_of
from payloads import BLOCK, CONTENTS, OVERVIEW, decoded


class Cluster(NamedTuple):
    first: int
    zoom: int
    count: int
    x: int
    y: int
    id: int
    # Its key, or none.
    parent: int
    layer: int
    # The block that it is in; None for a large cluster, which consists of whole blocks.
    block: int
    blocks: range

    @property
    def end(self):
        return self.first + self.count

    @property
    def key(self):
        return self.first << 5 | self.zoom


def shifts_of(shifted):
    """The distance of each row's name from its place, in cells."""
    steps = itertools.accumulate(shifted[::2])
    return dict(zip(steps, shifted[1::2]))


def rows_of_blocks(view, first=0):
    """The large clusters that an overview, a chapter or contents list: begin, length, zoom, x, y, shift."""
    shifts, stack, found = shifts_of(view["shifted"]), [], []
    columns = [view[name] for name in ("begins", "lengths", "zooms", "xs", "ys")]
    for at, (begin, length, zoom, x, y) in enumerate(zip(*columns, strict=True)):
        while stack and sum(stack[-1][:2]) <= begin + first:
            stack.pop()
        if stack:
            x, y = x + stack[-1][3], y + stack[-1][4]
        stack.append((begin + first, length, zoom, x, y, shifts.get(at, 0)))
        found.append(stack[-1])
    return found


class ClusterIndex:
    def __init__(self, covey, payload):
        assert covey["format"] in (4, 5)
        self.covey, self.payload = covey, payload
        blocks = covey["blocks"]
        self.count, self.pages, self.outlines = (blocks.get(name, 0) for name in ("count", "pages", "outlines"))
        self.chapter = blocks.get("chapter")
        assert bool(self.chapter) == (covey["format"] == 5), "chapters"
        self.chapters = -(-max(self.count, self.pages) // self.chapter) if self.chapter else 0
        if self.chapters:
            self.read_chapters()
        else:
            self.overview = self.message(self.payloads - 1, OVERVIEW)
            self.rows_of_large = rows_of_blocks(self.overview)
        assert len(self.overview["counts"]) == self.count, "as many blocks as the archive says"
        # The first leaf of each block, and the end of the last.
        self.firsts = [0, *itertools.accumulate(self.overview["counts"])]

    def message(self, number, kind):
        """A payload of one member."""
        found, message, rest = decoded(self.payload(number))
        assert (found, message["format"], rest) == (kind, 2, b""), f"payload {number}"
        return message

    def read_chapters(self):
        """Joins the chapters of the overview."""
        contents = self.message(self.payloads - 1, CONTENTS)
        self.overview, rows = {name: [] for name in ("edges", "pages", "counts", "listed", "blocks")}, rows_of_blocks(contents)
        for number in range(self.chapters):
            chapter = self.message(self.payloads - 1 - self.chapters + number, OVERVIEW)
            for name, list in self.overview.items():
                list += chapter[name]
            rows += rows_of_blocks(chapter, number * self.chapter)
        self.rows_of_large = sorted(rows, key=lambda row: (row[0], -row[1]))

    @classmethod
    def of(cls, database):
        covey = json.loads(database.execute("SELECT value FROM metadata WHERE name = 'covey'").fetchone()[0])
        return cls(covey, lambda number: database.execute(
            "SELECT data FROM covey_blocks WHERE block = ?", (number,)).fetchone()[0])

    @property
    def payloads(self):
        """The number of payloads."""
        return self.count + self.pages + self.outlines + self.chapters + 1

    def layer_of(self, leaf):
        return next(number for number, layer in enumerate(self.covey["layers"])
                    if layer["first"] <= leaf < layer["first"] + layer["leaves"])

    def block(self, number):
        """The index of a block, and its stored points."""
        kind, index, points = decoded(self.payload(number))
        assert (kind, index["format"]) == (BLOCK, 2), f"block {number}"
        return index, points

    def block_of(self, leaf):
        return bisect.bisect_right(self.firsts, leaf) - 1

    def named(self, first, zoom, count, x, y, shift, parent, block, blocks):
        layer = self.layer_of(first)
        id = id_of(layer, self.covey["layers"][layer].get("idBits", 5), zoom, x, y, shift)
        return Cluster(first, zoom, count, x, y, id, parent, layer, block, blocks)

    @functools.cached_property
    def large(self):
        """The large clusters in the order of the overview."""
        stack, found = [], []
        for begin, length, zoom, x, y, shift in self.rows_of_large:
            while stack and stack[-1].blocks.stop <= begin:
                stack.pop()
            first, end = self.firsts[begin], self.firsts[begin + length]
            stack.append(self.named(first, zoom, end - first, x, y, shift,
                                    stack[-1].key if stack else None, None, range(begin, begin + length)))
            found.append(stack[-1])
        return found

    @functools.cached_property
    def around(self):
        """The innermost large cluster around each block, or None."""
        found = [None] * self.count
        for large in self.large:
            for block in large.blocks:
                found[block] = large
        return found

    def rows(self, number):
        """The clusters in a block."""
        index, _ = self.block(number)
        shifts, stack, found = shifts_of(index["shifted"]), [], []
        outer = self.around[number]
        columns = [index[name] for name in ("firsts", "zooms", "counts", "xs", "ys")]
        for at, (first, zoom, count, x, y) in enumerate(zip(*columns, strict=True)):
            first += self.firsts[number]
            while stack and stack[-1].end <= first:
                stack.pop()
            px, py = (stack[-1].x, stack[-1].y) if stack else index["hull"][:2]
            parent = stack[-1] if stack else outer
            stack.append(self.named(first, zoom, count, x + px, y + py, shifts.get(at, 0),
                                    parent.key if parent else None, number, None))
            found.append(stack[-1])
        return found

    @functools.cached_property
    def clusters(self):
        rows = itertools.chain.from_iterable(map(self.rows, range(self.count)))
        return sorted([*self.large, *rows], key=lambda cluster: cluster.key)
