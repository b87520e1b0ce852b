"""MBTiles whose schema and values mislead: views, triggers, generated columns, texts and NULLs where blobs
and numbers belong, tables of other shapes."""

import sqlite3

NUMBER = ["{c}", "NULL", "'text'", "x'00'", "1e300", "-1", "{c} + 0.5", "CAST({c} AS TEXT)", "9223372036854775807",
          "(SELECT max({c}) FROM {t}_)", "{c} * 0"]
BLOB = ["{c}", "NULL", "'text'", "CAST({c} AS TEXT)", "hex({c})", "zeroblob(40000000)", "replace(hex(zeroblob(3000000)),"
        " '00', 'ab')", "printf('%.*c', 30000000, 'x')", "randomblob(100)", "{c} || {c}", "5", "x''",
        "(SELECT group_concat(hex({c})) FROM {t}_)", "load_extension('x')", "readfile('/etc/passwd')"]
TABLES = {
    "tiles": ["zoom_level", "tile_column", "tile_row", "tile_data"],
    "metadata": ["name", "value"],
    "covey_blocks": ["block", "data"],
    "covey_payloads": ["payload", "data"],
    "covey_numbers": ["block", "payload"],
}
BLOBS = {"tile_data", "value", "name", "data"}
ROWS = ["{t}_", "{t}_", "{t}_", "{t}_ a, {t}_ b", "{t}_ UNION ALL SELECT * FROM {t}_", "{t}_ ORDER BY random()",
        "{t}_ WHERE rowid % 2", "{t}_ LIMIT 0", "{t}_, json_each('[1, 2, 3]')", "{t}_, pragma_table_info('{t}_')"]


def make_hostile(random, path):
    """Makes a valid archive hostile, and returns a description."""
    database = sqlite3.connect(path)
    descriptions = []
    for _ in range(random.randint(1, 3)):
        table = random.choice(list(TABLES))
        kind = random.choice([view, view, view, generated, trigger, values, values, loose, collide])
        try:
            descriptions.append(f"{table}: {kind(random, database, table)}")
        except sqlite3.Error as error:
            descriptions.append(f"{table}: nothing ({error})")
    database.commit()
    if random.random() < 0.2:
        database.execute("PRAGMA journal_mode = WAL")
        descriptions.append("WAL")
    database.close()
    return "; ".join(descriptions)


def expression(random, table, column):
    wanted = random.choice(BLOB if column in BLOBS else NUMBER) if random.random() < 0.4 else "{c}"
    return wanted.format(c=column, t=table)


def view(random, database, table):
    columns = ", ".join(f"{expression(random, table, name)} AS {name}" for name in TABLES[table])
    rows = random.choice(ROWS).format(t=table)
    if rows.endswith(" b"):
        columns = ", ".join(f"a.{name} AS {name}" for name in TABLES[table])
    database.executescript(f"ALTER TABLE {table} RENAME TO {table}_; "
                           f"CREATE VIEW {table} AS SELECT {columns} FROM {rows}")
    return f"view of {columns} FROM {rows}"


def generated(random, database, table):
    """A table with a generated column, virtual or stored."""
    column = random.choice(TABLES[table])
    others = [name for name in TABLES[table] if name != column]
    source = random.choice(others)
    body = expression(random, table, column).replace(column, source)
    if "SELECT" in body or "random" in body:
        body = source
    how = random.choice(["VIRTUAL", "STORED"])
    database.executescript(
        f"ALTER TABLE {table} RENAME TO {table}_; CREATE TABLE {table} ({', '.join(others)}, "
        f"{column} AS ({body}) {how}); INSERT INTO {table} ({', '.join(others)}) "
        f"SELECT {', '.join(others)} FROM {table}_")
    return f"{column} AS ({body}) {how}"


def trigger(random, database, table):
    name = f"trigger_{random.randrange(10**9)}"
    database.executescript(
        f"CREATE TRIGGER {name} AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END;"
        f"CREATE TRIGGER {name}_2 BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END")
    return "triggers"


def values(random, database, table):
    column = random.choice(TABLES[table])
    body = expression(random, table + "x", column)
    if "SELECT" in body:
        body = "NULL"
    rule = random.choice(["", "WHERE rowid % 3 = 1", "WHERE rowid = 2"])
    database.execute(f"UPDATE {table} SET {column} = {body} {rule}")
    return f"{column} = {body} {rule}"


def loose(random, database, table):
    """The same columns in another order without types or keys, and with repeated rows."""
    columns = TABLES[table][:]
    random.shuffle(columns)
    if random.random() < 0.4:
        columns.pop()
    names = ", ".join(columns)
    database.executescript(
        f"ALTER TABLE {table} RENAME TO {table}_; CREATE TABLE {table} ({names}); "
        f"INSERT INTO {table} ({names}) SELECT {names} FROM {table}_; "
        f"INSERT INTO {table} ({names}) SELECT {names} FROM {table}_ LIMIT 50")
    return f"columns {names}"


def collide(random, database, table):
    """Removes the table, and gives its name to something else."""
    other = random.choice([name for name in TABLES if name != table])
    database.executescript(f"DROP TABLE {table}; CREATE VIEW {table} AS SELECT * FROM {other}")
    return f"a view of {other}"
