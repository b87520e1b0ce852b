"""The ids of clusters, made by docs/archive.md from the rows of an archive's index.

    from cluster_ids import ids_of
    ids = ids_of(database)      # by key
"""
import json

FINEST = 21


def along_curve(x, y, order):
    """How far along the Hilbert curve of an order a cell lies."""
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


def id_of(layer, bits, zoom, x, y, shift):
    order = min(max(zoom + bits, 8), FINEST)
    if x != 1 << 30:
        x %= 1 << 30
    column, row = (min(max(step >> (30 - order), 0), (1 << order) - 1) for step in (x, y))
    place = (along_curve(column, row, order) + shift) * 4 ** (FINEST - order)
    return 2 ** 52 + layer * 2 ** 47 + place * 2 ** 5 + zoom


def ids_of(database):
    covey = json.loads(database.execute("SELECT value FROM metadata WHERE name = 'covey'").fetchone()[0])
    assert covey["format"] == 3
    ids = {}
    for key, x, y, shift in database.execute("SELECT key, x, y, shift FROM covey_clusters"):
        first, zoom = divmod(key, 32)
        number, layer = next(
            (number, layer) for number, layer in enumerate(covey["layers"])
            if layer["first"] <= first < layer["first"] + layer["leaves"])
        ids[key] = id_of(number, layer["idBits"], zoom, x, y, shift or 0)
    return ids
