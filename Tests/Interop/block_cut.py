"""How docs/archive.md cuts the points of a layer into blocks, and docs/pmtiles.md ids into pages."""
import itertools
from typing import NamedTuple

from cluster_ids import FINEST, cell_of

MOST_IDS = 4096


class Node(NamedTuple):
    """A cluster, or a point that no cluster around it holds but those above."""
    count: int
    key: int
    # The number along the curve of the smallest square around it.
    square: int


def filled(counts, most):
    """The sums of counts, put together in order as far as they go."""
    sums = []
    for count in counts:
        if sums and sums[-1] + count <= most:
            sums[-1] += count
        else:
            sums.append(count)
    return sums


def in_squares(nodes, most, order=0):
    """Counts of the largest squares that have no more than `most`."""
    counts = [node.count for node in nodes]
    if sum(counts) <= most:
        return [sum(counts)]
    if order == FINEST:
        return filled(counts, most)
    return [count for _, inner in itertools.groupby(nodes, lambda node: node.square >> 2 * (FINEST - order - 1))
            for count in in_squares(list(inner), most, order + 1)]


def ascending(nodes):
    """Roots as far as the curve goes: it begins again where another hierarchy does."""
    begin = 0
    for at in range(1, len(nodes) + 1):
        if at == len(nodes) or nodes[at].square < nodes[at - 1].square:
            yield nodes[begin:at]
            begin = at


def block_counts(layer, clusters, positions):
    """How many points each block of a layer has. `clusters` are all of the layer by key, `positions` those of
    its points."""
    most, children = layer.get("leavesInBlock", 4000), {}
    for cluster in clusters:
        children.setdefault(cluster.parent, []).append(cluster)

    def nodes(first, end, parent):
        for cluster in [*children.get(parent, []), None]:
            begin = cluster.first if cluster else end
            for leaf in range(first, begin):
                yield Node(1, None, cell_of(*positions[leaf - layer["first"]], FINEST) if parent is None else None)
            if cluster:
                yield Node(cluster.count, cluster.key, cell_of(cluster.x, cluster.y, FINEST))
                first = cluster.end

    def cut(first, end, parent):
        for is_large, run in itertools.groupby(nodes(first, end, parent), lambda node: node.count > most):
            run = list(run)
            if is_large:
                for node in run:
                    yield from cut(node.key >> 5, (node.key >> 5) + node.count, node.key)
            elif parent is None:
                for part in ascending(run):
                    yield from in_squares(part, most)
            else:
                yield from filled([node.count for node in run], most)

    return list(cut(layer["first"], layer["first"] + layer["leaves"], None))


def id_pages(ids, bits=0):
    """The pages of a layer's ids, which ascend."""
    if len(ids) <= MOST_IDS:
        return [ids] if ids else []
    return [page for _, inner in itertools.groupby(ids, lambda id: id % 2**47 >> 47 - bits - 2)
            for page in id_pages(list(inner), bits + 2)]
