"""The recipe of a build."""

import json
import os
import tempfile

from covey import CoveyError, run

from .store import temporary_text


def document(recipe, tables, layer, source, arguments):
    """The complete recipe, with the options in it, and the table of each of its layers."""
    if recipe is None:
        if list(tables) != [None]:
            raise CoveyError("several tables need a recipe that has their layers")
        found = json.loads(run(["recipe", "show", "-", "--layer", layer or "points", *arguments]))
        found["layers"][0]["sources"] = [source or "-"]
    else:
        found = json.loads(show(recipe, arguments))
    names = [each["name"] for each in found["layers"]]
    if list(tables) == [None]:
        if len(names) != 1:
            raise CoveyError(f"the recipe has {len(names)} layers: pass a table for each of {', '.join(names)}")
        tables = {names[0]: tables[None]}
    for name in set(names) ^ set(tables):
        what = "the recipe has no layer of that name" if name in tables else "there is no table for this layer"
        raise CoveyError(f"{name}: {what}")
    return found, {name: tables[name] for name in names}


def show(recipe, arguments):
    """The complete recipe in JSON, from a path or a dict."""
    if isinstance(recipe, (str, os.PathLike)):
        path = os.fspath(recipe)
        if not os.path.isfile(path):
            raise CoveyError(f"recipe={path!r}: there is no such file on the driver")
        return show_file(os.path.join(".", path) if path.startswith("-") else path, arguments, path)
    if not isinstance(recipe, dict):
        raise TypeError(f"recipe is a path or a dict, and not a {type(recipe).__name__}")
    with temporary_text(json.dumps(recipe), ".json") as path:
        return show_file(path, arguments, "the dict")


def show_file(path, arguments, name):
    text = run(["recipe", "show", path, *arguments])
    # The program reads a file that is no recipe as points.
    if any(path in layer["sources"] for layer in json.loads(text)["layers"]):
        raise CoveyError(f"recipe: {name} is no recipe: a recipe is JSON with layers, in a file that ends in .json")
    return text


def differences(then, now, path=""):
    """A message for each value in which two recipes differ."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [message for key in {**then, **now}
                for message in differences(then.get(key), now.get(key), f"{path}.{key}" if path else key)]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [message for index, pair in enumerate(zip(then, now)) for message in differences(*pair, f"{path}[{index}]")]
    return [] if then == now else [f"{path} was {short(then)} and is {short(now)}"]


def short(value):
    """A value in at most 60 characters. An address is left out, because it may hold keys."""
    text = "not given" if value is None else json.dumps(value, ensure_ascii=False)
    return "an address" if "://" in text else text if len(text) <= 60 else f"{text[:60]}…"


def check_groups(document, tables):
    """Raises an error if no point can have the attribute of `groupBy`: all points would form one group."""
    for layer in document["layers"]:
        clusters = layer.get("clusters") or {}
        name = clusters.get("groupBy")
        # Joined tables, regions and facets over time add attributes.
        adds = layer.get("join") or layer.get("regions") or clusters.get("facets")
        if name and not adds and name not in tables[layer["name"]].columns:
            has = ", ".join(tables[layer["name"]].columns)
            raise CoveyError(f"group_by={name!r}: the table of {layer['name']} has no such column; it has {has}")


def add_systems(document, systems):
    """Adds the coordinate systems of tables to the recipe, where it has none."""
    for layer in document["layers"]:
        if systems.get(layer["name"]):
            layer.setdefault("crs", systems[layer["name"]])


def check_columns(document, tables, plan_options):
    """Runs the program with tables without rows, so that errors in columns and options are raised before a task runs."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("recipe.json", "parts", "job")}
        with open(paths["recipe.json"], "w", encoding="utf-8") as file:
            json.dump(document, file)
        common = ["--quiet", "--job", paths["job"]]
        parts = []
        for name, table in tables.items():
            feed = empty_table_feed(table)
            if feed is None:
                return
            message = run(["cells", "read", paths["recipe.json"], "--into", name, "--input-name", f"the table of {name}",
                           *common], feed)
            parts.append(json.loads(message)["part"])
        with open(paths["parts"], "w", encoding="utf-8") as file:
            file.writelines(f"{part}\n" for part in parts)
        run(["cells", "plan", paths["recipe.json"], "--parts", paths["parts"], "--check", *common, *plan_options])


def empty_table_feed(table):
    """A function that writes the table without its rows; None if Spark shows its Arrow schema only to tasks."""
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
        # The program checks the columns when it reads a batch.
        batch = pa.RecordBatch.from_arrays([pa.array([], each.type) for each in schema], schema=schema)
        with pa.ipc.new_stream(pipe, schema) as writer:
            writer.write_batch(batch)
    return feed
