"""Options as Python spells them, and as the program does."""

import json

# What has a shorter name here.
SHORT = {
    "radius": "cluster-radius", "min_points": "cluster-min-points",
    "aggregates": "aggregate", "types": "type", "lon": "x", "lat": "y",
}
# Options that may be given any number of times: of a name and a value, or of a value alone.
PAIRS = {"aggregate": "=", "type": ":"}
VALUES = {"include", "exclude", "inherit", "cluster-fields"}
# A number of these follows the = that belongs to the option.
JOINED = {"skip-invalid", "spread"}


def arguments(options):
    """The words of a command line: `radius=40` is `--cluster-radius 40`."""
    words = []
    for key, value in options.items():
        name = SHORT.get(key, key.replace("_", "-"))
        if value is None or value is False:
            continue
        if value is True:
            words.append(f"--{name}")
        elif name in JOINED:
            words.append(f"--{name}={value}")
        elif name in PAIRS and isinstance(value, dict):
            for attribute, what in value.items():
                words += [f"--{name}", f"{attribute}{PAIRS[name]}{spelled(what)}"]
        elif name in VALUES and isinstance(value, (list, tuple, set)):
            for each in sorted(value) if isinstance(value, set) else value:
                words += [f"--{name}", spelled(each)]
        else:
            words += [f"--{name}", spelled(value)]
    return words


def spelled(value):
    return value if isinstance(value, str) else json.dumps(value)
