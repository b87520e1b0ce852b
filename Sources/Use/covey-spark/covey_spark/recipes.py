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
        shown = run(["recipe", "show", source, "--layer", layer, *words])
    else:
        shown = show(recipe, words)
    found = json.loads(shown)
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
        return run(["recipe", "show", os.fspath(recipe), *words])
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(recipe, file)
        file.flush()
        return run(["recipe", "show", file.name, *words])
