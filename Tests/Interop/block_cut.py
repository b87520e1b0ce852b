"""Cuts the points of a layer into blocks by docs/archive.md, and ids into pages by docs/pmtiles.md."""
import itertools
from typing import NamedTuple

from cluster_ids import FINEST, cell_of

MOST_IDS = 4096
MOST_WEIGHT, LIGHTEST, HEAVIEST = 220_000, 55, 8_800


class Node(NamedTuple):
    """A cluster that is not cut, or a single point."""
    count: int
    weight: int
    key: int
    # The number of the smallest square around it along the curve.
    square: int


def weight_of(sizes):
    """The weight in a block of a point whose values have so many bytes."""
    return min(max(12 + 3 * len(sizes) + sum(sizes), LIGHTEST), HEAVIEST)


def filled(nodes):
    """The counts of points of consecutive nodes, joined up to the limits of a block."""
    sums = []
    for node in nodes:
        if sums and sums[-1][1] + node.weight <= MOST_WEIGHT:
            sums[-1] = (sums[-1][0] + node.count, sums[-1][1] + node.weight)
        else:
            sums.append((node.count, node.weight))
    return [count for count, _ in sums]


def in_squares(nodes, order=0):
    """The counts of points of the largest squares that fit into a block."""
    if sum(node.weight for node in nodes) <= MOST_WEIGHT:
        return [sum(node.count for node in nodes)]
    if order == FINEST:
        return filled(nodes)
    return [count for _, inner in itertools.groupby(nodes, lambda node: node.square >> 2 * (FINEST - order - 1))
            for count in in_squares(list(inner), order + 1)]


def ascending(nodes):
    """The roots of each hierarchy: the curve begins again with each."""
    begin = 0
    for at in range(1, len(nodes) + 1):
        if at == len(nodes) or nodes[at].square < nodes[at - 1].square:
            yield nodes[begin:at]
            begin = at


def block_counts(layer, clusters, positions, weights):
    """The number of points of each block of a layer. `clusters` has the layer's clusters by key, `positions` and
    `weights` are those of its points."""
    children, before = {}, [0, *itertools.accumulate(weights)]
    for cluster in clusters:
        children.setdefault(cluster.parent, []).append(cluster)

    def nodes(first, end, parent):
        for cluster in [*children.get(parent, []), None]:
            begin = cluster.first if cluster else end
            for leaf in range(first, begin):
                at = leaf - layer["first"]
                yield Node(1, weights[at], None, cell_of(*positions[at], FINEST) if parent is None else None)
            if cluster:
                weight = before[cluster.end - layer["first"]] - before[cluster.first - layer["first"]]
                yield Node(cluster.count, weight, cluster.key, cell_of(cluster.x, cluster.y, FINEST))
                first = cluster.end

    def cut(first, end, parent):
        for is_large, run in itertools.groupby(nodes(first, end, parent), lambda node: node.weight > MOST_WEIGHT):
            run = list(run)
            if is_large:
                for node in run:
                    yield from cut(node.key >> 5, (node.key >> 5) + node.count, node.key)
            elif parent is None:
                for part in ascending(run):
                    yield from in_squares(part)
            else:
                yield from filled(run)

    return list(cut(layer["first"], layer["first"] + layer["leaves"], None))


def id_pages(ids, bits=0):
    """The pages of a layer's ids, which are in ascending order."""
    if len(ids) <= MOST_IDS:
        return [ids] if ids else []
    return [page for _, inner in itertools.groupby(ids, lambda id: id % 2**47 >> 47 - bits - 2)
            for page in id_pages(list(inner), bits + 2)]
