"""False values in valid archives: numbers out of range in the metadata, runs of millions of tiles, decompression bombs,
tiles with millions of empty features, flags of the header, swapped leaves, payloads of clusters, missing tables."""

import functools
import gzip
import json
import os
import sqlite3
from pathlib import Path

import pmtiles
from payload_claims import changed, chosen
from pmtiles import PMTiles

NUMBERS = [-1, 0, 1, 31, 32, 255, 256, 4_001, 2**31, 2**32, 2**48, 2**53, 2**62, 2**63 - 1, -(2**63),
           2**64, 1e308, -1e308, 0.5, "NaN", "", None, [], {}]
MANY = [1_000, 1_000_000, 22_369_621, 2**32 - 1]


@functools.cache
def bomb(megabytes):
    return pmtiles.bomb(megabytes)


@functools.cache
def large_tiles():
    """Tiles that are small when compressed: many zeros, many empty features, many equal points; and invalid tiles."""
    return [bomb(40), bomb(700), bomb(40) + gzip.compress(b"x"), pmtiles.empty_features(15_000_000),
            pmtiles.empty_features(900_000), pmtiles.tile(200_000), b"", b"\x1f\x8b", b"\x1a\x05"]


def numbers(value, path=()):
    """The paths of all numbers of a document."""
    if isinstance(value, dict):
        return [found for key in value for found in numbers(value[key], (*path, key))]
    if isinstance(value, list):
        return [found for index, one in enumerate(value) for found in numbers(one, (*path, index))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def put(value, path, new):
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def claim_number(random, documents):
    """Replaces numbers, in all documents that have them. Returns a description."""
    paths = numbers(documents[0])
    if not paths:
        return "no numbers"
    description = []
    for _ in range(random.randint(1, 3)):
        # Most numbers are chosen from the metadata of clusters, which the program reads most.
        own = [path for path in paths if path[0] == "covey"] or paths
        path = random.choice(own if random.random() < 0.8 else paths)
        new = random.choice(NUMBERS)
        for document in documents:
            try:
                put(document, path, new)
            except (KeyError, IndexError, TypeError):
                pass
        description.append(f"{'.'.join(map(str, path))} = {new}")
    return ", ".join(description)


def damage_pmtiles(random, path):
    """Damages a PMTiles archive or the file of its clusters, and returns a description."""
    beside = path.removesuffix(".pmtiles") + ".clusters.pmtiles"
    kind = random.choice(["numbers"] * 6 + ["runs"] * 3 + ["contents"] * 3 + ["header"] * 3 + [
        "entries", "entries", "swap", "swap", "gone", "bytes", "bytes", "bytes"] + ["payload"] * 6)
    files = [name for name in [path, beside] if os.path.exists(name)]
    if kind == "gone":
        os.remove(files[-1])
        return f"{Path(files[-1]).suffixes[0]} is gone"
    if kind == "bytes":
        name = random.choice(files)
        data = bytearray(Path(name).read_bytes())
        for _ in range(random.randint(1, 30)):
            data[min(int(random.expovariate(1 / random.choice([60, 3_000, 90_000]))),
                     len(data) - 1)] = random.randrange(256)
        if random.random() < 0.2:
            del data[random.randrange(len(data)):]
        Path(name).write_bytes(data)
        return f"bytes of {Path(name).name}"
    parts = [PMTiles(name) for name in files]
    if kind == "numbers":
        description = claim_number(random, [part.metadata for part in parts])
    else:
        description = {"runs": runs, "contents": contents, "header": header, "entries": entries, "swap": swap,
                "payload": payload}[kind](random, parts[-1] if kind in ("swap", "payload") else random.choice(parts))
    for part, name in zip(parts, files):
        part.write(name)
    return f"{kind}: {description}"


def runs(random, part):
    size = random.choice(MANY)
    if random.random() < 0.5:
        part.entries = part.entries[:random.randrange(1, len(part.entries) + 1)]
        part.entries[-1][1] = size
        part.header.update(max_zoom=random.choice([part.header["max_zoom"], 12, 31]))
    else:
        part.entries = [[number * (size + 1), size, *random.choice(part.entries)[2:]]
                        for number in range(random.choice([3, 300]))]
    if random.random() < 0.5:
        part.header.update(addressed=None, entries=None, contents=None)
    return f"of {size}"


def contents(random, part):
    tile = random.choice(large_tiles())
    for entry in random.choices(part.entries, k=random.choice([1, 1, 20])):
        part.put(entry, tile) if random.random() < 0.5 else entry.__setitem__(
            slice(2, 4), [0, len(tile)])
    if random.random() < 0.4:
        part.put(part.entries[-1], tile)
        part.entries[-1][1] = random.choice([85, 5_000])
    return f"{len(tile)} bytes"


def header(random, part):
    name = random.choice(list(part.header) + ["bounds", "center_zoom"])
    if name == "bounds":
        part.bounds = [random.choice([0, 1, -2**31, 2**31 - 1, edge]) for edge in part.bounds]
    elif name == "center_zoom":
        part.center_zoom = random.choice([31, 32, 255])
    else:
        part.header[name] = random.choice([0, 1, 2, 3, 31, 32, 255, 2**40, 2**64 - 1])
    return name


def entries(random, part):
    for _ in range(random.randint(1, 4)):
        entry = random.choice(part.entries)
        field = random.randrange(1, 4)
        entry[field] = random.choice([0, 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**63, entry[field] + 1])
    return "changed"


def swap(random, part):
    """Swaps the contents of two entries; in a file of clusters these are leaves."""
    a, b = (random.choice(part.entries) for _ in range(2))
    a[2:], b[2:] = b[2:], a[2:]
    return f"{a[0]} and {b[0]}"


def payload(random, part):
    """Changes values of a payload of clusters; in a file of tiles, swaps two tiles."""
    covey = part.metadata.get("covey") or {}
    if part.header["type"] != 0 or "blocks" not in covey:
        return swap(random, part)
    entry = part.entries[chosen(random, covey["blocks"])]
    new, description = changed(random, part.content(entry))
    part.put(entry, new)
    return description


def claim_in_mbtiles(random, path):
    """The same in a database."""
    database = sqlite3.connect(path)
    try:
        return one_claim(random, database)
    except sqlite3.Error as error:
        return f"nothing: {error}"
    finally:
        database.commit()
        database.close()


def one_claim(random, database):
    kind = random.choice(["numbers"] * 4 + ["contents", "contents", "repeated", "swap", "gone"] + ["payload"] * 6)
    if kind == "numbers":
        name = random.choice(["covey", "covey", "covey", "json", "tilestats"])
        row = database.execute("SELECT value FROM metadata WHERE name = ?", (name,)).fetchone()
        if not row:
            return "no such row"
        document = {name: json.loads(row[0])}
        description = claim_number(random, [document])
        database.execute("UPDATE metadata SET value = ? WHERE name = ?",
                         (json.dumps(document[name]), name))
        return f"numbers: {description}"
    if kind == "contents":
        count = random.choice([1, 20])
        database.execute(f"UPDATE tiles SET tile_data = ? WHERE rowid % 5 = {random.randrange(5)} AND "
                         f"rowid <= {count} * 5", (random.choice(large_tiles()),))
    elif kind == "repeated":
        database.executescript("ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS SELECT a.zoom_level, "
                               "a.tile_column, b.tile_row, a.tile_data FROM t a, t b")
    elif kind == "swap":
        table, key = payload_table(database)
        [[rows]] = database.execute(f"SELECT count(*) FROM {table}")
        a, b = random.randrange(rows), random.randrange(rows)
        for old, new in [(a, -1), (b, a), (-1, b)]:
            database.execute(f"UPDATE {table} SET {key} = ? WHERE {key} = ?", (new, old))
    elif kind == "gone":
        database.execute(f"DROP TABLE {random.choice([payload_table(database)[0], 'metadata', 'tiles'])}")
    else:
        return f"payload {payload_in_mbtiles(random, database)}"
    return kind


def payload_in_mbtiles(random, database):
    [[covey]] = database.execute("SELECT value FROM metadata WHERE name = 'covey'")
    blocks = json.loads(covey).get("blocks")
    if not blocks:
        return "nothing: there are no clusters"
    number = chosen(random, blocks)
    table, key = payload_table(database)
    [[old]] = database.execute(f"SELECT data FROM {table} WHERE {key} = ?", (number,))
    new, description = changed(random, old)
    database.execute(f"UPDATE {table} SET data = ? WHERE {key} = ?", (new, number))
    return description


def payload_table(database):
    """The names of the table of payloads and of its key: old archives have others."""
    [[is_view]] = database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'covey_payloads'")
    return ("covey_payloads", "payload") if is_view else ("covey_blocks", "block")
