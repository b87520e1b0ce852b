"""Converts options between their spelling in Python and that of the command line."""

import json
import os
import re
from typing import Any, Dict, List, Union

Path = Union[str, "os.PathLike[str]"]

# Options with a shorter name in Python.
SHORT = {
    "radius": "cluster-radius", "min_points": "cluster-min-points",
    "aggregates": "aggregate", "types": "type", "lon": "x", "lat": "y", "task_memory": "cell-memory",
}
# Options that may be repeated: those with a name and a value, and those with a value.
PAIRS = {"aggregate": "=", "type": ":"}
VALUES = {"include", "exclude", "nodata", "inherit", "cluster-fields", "facet", "cors", "trusted-proxy", "named-layer"}
# Those of them whose value is a list of names separated by commas.
NAMES = {"include", "exclude", "inherit"}
# Options whose value is a list of numbers separated by commas.
LISTS = {"bbox"}
# Options whose optional value follows an =.
JOINED = {"skip-invalid", "spread"}
# Options whose value may be a word.
WORDS = {"encoding", "points-from", "quotes"}
# Options without a value that messages name.
SWITCHES = {"force", "generate-id", "keep-points", "no-clusters", "no-leaves", "no-wrap", "skip-invalid", "skip-non-points"}


def arguments(options: Dict[str, Any]) -> List[str]:
    """The arguments of a command line: `radius=40` is `--cluster-radius 40`."""
    words: List[str] = []
    for key, value in options.items():
        if key in ("help", "version"):
            raise TypeError(f"{key} is for the command line: covey --{key}")
        try:
            words += option(SHORT.get(key, key.replace("_", "-")), value)
        except TypeError as error:
            raise TypeError(f"{key} cannot be a {type(value).__name__}: {error}") from error
    return words


def option(name: str, value: Any) -> List[str]:
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{name}"]
    if name in JOINED:
        return [f"--{name}={value}"]
    if name in LISTS and isinstance(value, (list, tuple)):
        value = ",".join(map(as_text, value))
    several = [value]
    if name in PAIRS and isinstance(value, dict):
        several = [f"{attribute}{PAIRS[name]}{as_text(what)}" for attribute, what in value.items()]
    elif name in VALUES | PAIRS.keys() and isinstance(value, (list, tuple, set)):
        several = sorted(value) if isinstance(value, set) else list(value)
        if name in NAMES:
            several = [as_text(each).replace(",", "\\,") for each in several]
    return [word for each in several for word in (f"--{name}", as_text(each))]


def as_text(value: Any) -> str:
    """A value on the command line: paths and coordinate systems as text, other values as JSON."""
    if hasattr(value, "to_wkt") and hasattr(value, "to_epsg"):
        # A coordinate system of pyproj.
        code = value.to_epsg()
        return f"EPSG:{code}" if code else str(value.to_wkt())
    if hasattr(value, "__fspath__"):
        return str(os.fspath(value))
    return value if isinstance(value, str) else json.dumps(value)


def in_python(text: str) -> str:
    """A message of the program with its options in the spelling of Python: `--force` is `force=True`."""
    names = {name: key for key, name in SHORT.items()}

    def word(found: "re.Match[str]") -> str:
        name, value = found.group(1), found.group(2)
        key = names.get(name, name.replace("-", "_"))
        if name in SWITCHES:
            return f"{key}=True" + (f" {value}" if value else "")
        is_number = re.fullmatch("-?[0-9.]+", value or "")
        return f"{key}={value if is_number else repr(value)}" if value else key
    words = "|".join(WORDS)
    # After other options only a number or a code is a value; a word belongs to the sentence.
    text = re.sub(rf"(?<![\w-])--({words}) ([\w-]+)", word, text)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z]|[xy])\b(?:[ =]([A-Z]+:[0-9]+|-?[0-9][0-9.]*[0-9]|-?[0-9])\b)?",
                  word, text)
