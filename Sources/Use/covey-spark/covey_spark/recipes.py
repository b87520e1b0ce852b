"""The recipe that all tasks go by."""

import json
import os
import tempfile

from covey import CoveyError, run


def document(recipe, tables, layer, source, words):
    """The recipe that options come to, and the table of each of its layers."""
    if recipe is None:
        if list(tables) != [None]:
            raise CoveyError("several tables need a recipe that has their layers")
        found = json.loads(run(["recipe", "show", "-", "--layer", layer or "points", *words]))
        found["layers"][0]["sources"] = [source or "-"]
    else:
        found = json.loads(show(recipe, words))
    names = [each["name"] for each in found["layers"]]
    if list(tables) == [None]:
        if len(names) != 1:
            raise CoveyError(f"the recipe has {len(names)} layers: pass a table for each of {', '.join(names)}")
        tables = {names[0]: tables[None]}
    for name in set(names) ^ set(tables):
        what = "the recipe has no layer of that name" if name in tables else "there is no table for this layer"
        raise CoveyError(f"{name}: {what}")
    return found, {name: tables[name] for name in names}


def show(recipe, words):
    if isinstance(recipe, (str, os.PathLike)):
        path = os.fspath(recipe)
        if not os.path.isfile(path):
            raise CoveyError(f"recipe={path!r}: there is no such file on the driver")
        return show_file(os.path.join(".", path) if path.startswith("-") else path, words, path)
    if not isinstance(recipe, dict):
        raise TypeError(f"recipe is a path or a dict, and not a {type(recipe).__name__}")
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(recipe, file)
        file.flush()
        return show_file(file.name, words, "the dict")


def show_file(path, words, name):
    shown = run(["recipe", "show", path, *words])
    # The program takes what is no recipe as an input.
    if any(path in layer["sources"] for layer in json.loads(shown)["layers"]):
        raise CoveyError(f"recipe: {name} is no recipe: that is JSON with layers, in a file that ends in .json")
    return shown


def differences(then, now, path=""):
    """In what two recipes differ, each in words."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [words for key in {**then, **now}
                for words in differences(then.get(key), now.get(key), f"{path}.{key}" if path else key)]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [words for index, pair in enumerate(zip(then, now)) for words in differences(*pair, f"{path}[{index}]")]
    return [] if then == now else [f"{path} was {shown(then)} and is {shown(now)}"]


def shown(value):
    """A value in short; an address may hold keys."""
    text = "not given" if value is None else json.dumps(value, ensure_ascii=False)
    return "an address" if "://" in text else text if len(text) <= 60 else f"{text[:60]}…"


def check_groups(document, tables):
    """Refuses to group by what no point can have: a misspelt column would mix what belongs apart."""
    for layer in document["layers"]:
        clusters = layer.get("clusters") or {}
        name = clusters.get("groupBy")
        # Joined tables, regions and facets over time bring attributes of their own.
        brings = layer.get("join") or layer.get("regions") or clusters.get("facets")
        if name and not brings and name not in tables[layer["name"]].columns:
            has = ", ".join(tables[layer["name"]].columns)
            raise CoveyError(f"group_by={name!r}: the table of {layer['name']} has no such column; it has {has}")


def add_systems(document, systems):
    """Says in which coordinate systems tables are, where the recipe does not."""
    for layer in document["layers"]:
        if systems.get(layer["name"]):
            layer.setdefault("crs", systems[layer["name"]])


def try_schemas(document, tables, words):
    """Lets the program look at tables without rows, and at a plan of these: what is wrong with columns and options is
    told before any task runs.

    - `words`: options of the plan.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("recipe.json", "parts", "job")}
        with open(paths["recipe.json"], "w", encoding="utf-8") as file:
            json.dump(document, file)
        ends = ["--quiet", "--job", paths["job"]]
        parts = []
        for name, table in tables.items():
            feed = feed_of(table)
            if feed is None:
                return
            told = run(["cells", "read", paths["recipe.json"], "--into", name, "--input-name", f"the table of {name}",
                        *ends], feed)
            parts.append(json.loads(told)["part"])
        with open(paths["parts"], "w", encoding="utf-8") as file:
            file.writelines(f"{part}\n" for part in parts)
        run(["cells", "plan", paths["recipe.json"], "--parts", paths["parts"], "--check", *ends, *words])


def feed_of(table):
    """What writes a table without its rows; None where only tasks can tell what Arrow makes of it."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_schema

    from . import columns
    try:
        try:
            found = to_arrow_schema(table.schema, timezone="UTC")
        except TypeError:
            found = to_arrow_schema(table.schema)  # before Spark 4.1
        schema = columns.plain_schema(found)
    except Exception:
        return None

    def feed(pipe):
        # Columns are looked at when a batch comes, be it without rows.
        none = pa.RecordBatch.from_arrays([pa.array([], each.type) for each in schema], schema=schema)
        with pa.ipc.new_stream(pipe, schema) as writer:
            writer.write_batch(none)
    return feed
