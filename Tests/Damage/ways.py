"""Damages a database: random changes of its bytes and rows, and false values."""

import gzip
import sqlite3
from pathlib import Path

PAGE = 4_096
INTEGERS = [0, 1, -1, 31, 32, 255, 4_000, 2**31 - 1, 2**31, 2**40, 2**48, 2**53, 2**62, 2**63 - 1,
            -(2**63)]
CLAIMS = [
    "UPDATE covey_blocks SET data = zeroblob({large})",
    "UPDATE covey_blocks SET data = zeroblob({large}) WHERE rowid % 7 = {small}",
    "UPDATE covey_blocks SET data = 'text'",
    "UPDATE covey_blocks SET data = (SELECT data FROM covey_blocks ORDER BY block DESC LIMIT 1)",
    "UPDATE covey_blocks SET data = (SELECT data FROM covey_blocks ORDER BY block LIMIT 1)",
    "UPDATE covey_blocks SET block = block + {huge}",
    "UPDATE covey_blocks SET block = -block",
    "DELETE FROM covey_blocks WHERE block % 2 = {small} % 2",
    "DELETE FROM covey_blocks WHERE block >= {small}",
    "UPDATE covey_numbers SET payload = {small}",
    "UPDATE covey_numbers SET payload = payload + {huge}",
    "UPDATE covey_numbers SET payload = -payload WHERE block % 2 = {small} % 2",
    "UPDATE covey_numbers SET block = block + {small} + 1000000",
    "DELETE FROM covey_numbers WHERE block >= {small}",
    "DELETE FROM covey_payloads WHERE payload % 2 = {small} % 2",
    "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < {large}) "
    "INSERT OR REPLACE INTO covey_numbers SELECT n, n FROM c",
    "UPDATE tiles SET tile_data = (SELECT data FROM covey_blocks LIMIT 1)",
    "UPDATE tiles SET tile_data = 'text'",
    "UPDATE tiles SET zoom_level = zoom_level + {small}",
    "UPDATE metadata SET value = replace(value, '{small}', '{huge}')",
    "UPDATE metadata SET value = '' WHERE rowid % 3 = 0",
    "UPDATE metadata SET value = zeroblob({large})",
    "UPDATE metadata SET value = replace(hex(zeroblob({large})), '00', '[')",
    "ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL "
    "SELECT n + 1 FROM c) SELECT n % 9 AS zoom_level, n AS tile_column, n AS tile_row, "
    "zeroblob(10) AS tile_data FROM c",
    "ALTER TABLE tiles RENAME TO t; CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, "
    "CAST(printf('%.*c', {large}, 'x') AS BLOB) AS tile_data FROM t",
    "ALTER TABLE covey_blocks RENAME TO c; CREATE VIEW covey_blocks AS SELECT a.* FROM c a, c b, c d",
]


def damage(random, path):
    """Damages an archive, and returns a description."""
    return random.choice([damage_rows] * 9 + [claim] * 6 + [damage_bytes] * 5)(random, path)


def value(random, old):
    """A random value to replace a value of a table."""
    kind = random.randrange(6)
    if kind == 0:
        return random.choice(INTEGERS)
    if kind == 1:
        return None
    if kind == 2:
        return random.choice(["", "x", "{}", "[]", "1e999", "-180,-90,180,90", "\u0000"])
    if kind == 3:
        return random.random() * random.choice([1, 1e300])
    if kind == 4:
        return bytes(random.randrange(256) for _ in range(random.randrange(60)))
    if isinstance(old, int):
        return max(-(2**63), min(2**63 - 1, old + random.choice([-1, 1, 32, -32, 2**20])))
    return mutated(random, old) if isinstance(old, (str, bytes)) else old


def mutated(random, old):
    """A text or blob with a few bytes changed, before or after its compression."""
    if isinstance(old, bytes) and old[:2] == b"\x1f\x8b" and random.random() < 0.8:
        try:
            return gzip.compress(mutated(random, gzip.decompress(old)), 1, mtime=0)
        except (OSError, EOFError):
            return old
    data = bytearray(old.encode() if isinstance(old, str) else old)
    for _ in range(random.randint(1, 4)):
        if not data:
            break
        at = random.randrange(len(data))
        change = random.randrange(4)
        if change == 0:
            data[at] = random.randrange(256)
        elif change == 1:
            del data[at:at + random.randint(1, 20)]
        elif change == 2:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.randint(1, 8)))
        else:
            data[at] ^= 1 << random.randrange(8)
    return data.decode("utf-8", "replace") if isinstance(old, str) else bytes(data)


def damage_rows(random, path):
    database = sqlite3.connect(path)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for _ in range(random.randint(1, 4)):
        table = random.choice(names)
        rows = database.execute(f"SELECT rowid, * FROM {table} LIMIT 400").fetchall()
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        if not rows or not columns:
            continue
        row = random.choice(rows)
        column = random.randrange(len(columns))
        try:
            if random.random() < 0.1:
                database.execute(f"DELETE FROM {table} WHERE rowid = ?", (row[0],))
            elif random.random() < 0.05:
                database.execute(f"UPDATE {table} SET {columns[column]} = ?",
                                 (value(random, row[column + 1]),))
            else:
                database.execute(f"UPDATE {table} SET {columns[column]} = ? WHERE rowid = ?",
                                 (value(random, row[column + 1]), row[0]))
        except (sqlite3.Error, OverflowError):
            pass
    database.commit()
    database.close()
    return "rows"


def claim(random, path):
    sql = random.choice(CLAIMS).format(
        huge=random.choice([40_000_000, 2**31, 2**53, 2**62]), small=random.randrange(1, 10),
        large=random.choice([1_000, 5_000_000]))
    database = sqlite3.connect(path)
    try:
        database.executescript(sql)
    except sqlite3.Error:
        pass
    database.close()
    return sql


def damage_bytes(random, path):
    data = bytearray(Path(path).read_bytes())
    pages = max(len(data) // PAGE, 1)
    kind = random.choice(["cut", "splice", "flip", "flip", "page headers", "swap", "header"])
    if kind == "cut":
        del data[random.randrange(len(data)):]
    elif kind == "splice":
        start = random.randrange(len(data))
        data[start:start + random.randint(1, PAGE)] = bytes(
            [random.choice([0, 0xFF, random.randrange(256)])]) * random.randint(1, PAGE)
    elif kind == "flip":
        for _ in range(random.randint(1, 64)):
            data[random.randrange(len(data))] = random.randrange(256)
    elif kind == "page headers":
        # SQLite reads these bytes most.
        for _ in range(random.randint(1, 4)):
            at = random.randrange(pages) * PAGE + random.randrange(120)
            data[min(at, len(data) - 1)] = random.randrange(256)
    elif kind == "swap":
        a, b = (random.randrange(pages) * PAGE for _ in range(2))
        data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]
    else:
        data[random.randrange(16, 100)] = random.randrange(256)
    Path(path).write_bytes(data)
    return kind
