"""Computes the ids of clusters from their positions, by docs/archive.md."""

FINEST = 21
WORLD = 1 << 30


def along_curve(x, y, order):
    """The number of a cell along the Hilbert curve of an order."""
    distance = 0
    for level in reversed(range(order)):
        side = 1 << level
        right, low = int(x & side > 0), int(y & side > 0)
        distance = distance * 4 + ((3 * right) ^ low)
        x, y = x & (side - 1), y & (side - 1)
        if low == 0:
            if right == 1:
                x, y = side - 1 - x, side - 1 - y
            x, y = y, x
    return distance


def cell_of(x, y, order):
    """The number along the curve of the cell with a position."""
    if x != WORLD:
        x %= WORLD
    column, row = (min(max(step >> (30 - order), 0), (1 << order) - 1) for step in (x, y))
    return along_curve(column, row, order)


def id_of(layer, bits, zoom, x, y, shift):
    order = min(max(zoom + bits, 8), FINEST)
    place = (cell_of(x, y, order) + shift) * 4 ** (FINEST - order)
    return 2 ** 52 + layer * 2 ** 47 + place * 2 ** 5 + zoom
