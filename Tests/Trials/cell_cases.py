"""Points and recipes that are difficult for a build in cells."""

import json
import math

OPERATIONS = ["count", "sum:n", "min:n", "max:n", "mean:n", "variance:n", "stddev:n", "median:n",
              "p90:n", "mode:kind", "distinct:kind", "any:flag", "all:flag", "first:kind",
              "concat3:kind", "histogram:kind", "top2:kind"]
# The numbers of points of a layer.
COUNTS = (1, 7, 60, 300, 1000)
FIELDS = ["point_weight", "sqrt_point_count", "bbox", "unique_location"]


def latitude(y):
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def place(x, y):
    return (x % 1) * 360 - 180, max(-85.05, min(85.05, latitude(min(max(y, 0), 1))))


def uniform(rng, count):
    return [place(rng.random(), rng.random()) for _ in range(count)]


def towns(rng, count):
    homes = [(rng.random(), rng.random(), 10 ** rng.uniform(-5, -1.5)) for _ in range(6)]
    points = []
    for _ in range(count):
        x, y, spread = rng.choice(homes)
        points.append(place(x + rng.gauss(0, spread), y + rng.gauss(0, spread)))
    return points


def border(rng, count):
    """Rows of points along the edges of cells."""
    edge = rng.randrange(1, 8) / 8
    near = [0, 1e-9, -1e-9, 1e-5, -1e-4, 1e-3]
    return [place(edge + rng.choice(near), rng.random()) if rng.random() < 0.7
            else place(rng.random(), edge + rng.choice(near)) for _ in range(count)]


def half_at_one_place(rng, count):
    home = place(rng.random(), rng.random())
    return [home if i % 2 else place(rng.random(), rng.random()) for i in range(count)]


def corner(rng, count):
    """A city on the corner of four cells."""
    x, y = rng.randrange(1, 4) / 4, rng.randrange(1, 4) / 4
    return [place(x + rng.gauss(0, 0.01), y + rng.gauss(0, 0.01)) for _ in range(count)]


def antimeridian(rng, count):
    return [place(rng.gauss(0, 0.01), 0.5 + rng.gauss(0, 0.1)) for _ in range(count)]


def rings(rng, count):
    """Places equally far from one another, on circles and on a lattice."""
    x, y, step = rng.randrange(1, 8) / 8, rng.randrange(2, 6) / 8, 2.0 ** -rng.randrange(6, 12)
    side = math.isqrt(count)
    points = [place(x + (i % side - side // 2) * step, y + (i // side - side // 2) * step)
              for i in range(side * side)]
    return points + [place(x + step * math.cos(i), y + step * math.sin(i))
                     for i in range(count - side * side)]


def one_tile(rng, count):
    """All points in one tile of zoom 12."""
    x, y = rng.randrange(4096) / 4096, rng.randrange(1000, 3000) / 4096
    return [place(x + rng.random() / 4096, y + rng.random() / 4096) for _ in range(count)]


def places(rng, count):
    """A few places at the edges of cells, with many points at each."""
    homes = []
    for _ in range(rng.randrange(1, 12)):
        edge = rng.randrange(0, 16) / 16 + rng.choice([0, 1e-6, -1e-6, 3e-5, -1e-3, 2e-3])
        x, y = rng.choice([(edge, rng.random()), (rng.random(), edge)])
        homes.append(place(x, y))
    return [rng.choice(homes) for _ in range(count)]


SHAPES = [uniform, towns, border, half_at_one_place, corner, antimeridian, rings, one_tile,
          places]


def write_points(path, rng, shape, count):
    with open(path, "w") as file:
        for i, (lon, lat) in enumerate(shape(rng, count)):
            properties = {"n": rng.choice([i, i / 7, -1, "x"]), "kind": rng.choice("abc"),
                          "flag": rng.random() < 0.5, "w": rng.randrange(1, 5) / 2}
            for name in ["n", "kind", "flag"]:
                if rng.random() < 0.1:
                    del properties[name]
            # A feature has its attributes in the order of its point.
            if rng.random() < 0.1:
                properties = dict(reversed(properties.items()))
            feature = {"type": "Feature", "properties": properties,
                       "geometry": {"type": "Point", "coordinates": [lon, lat]}}
            if rng.random() < 0.5:
                feature["id"] = rng.randrange(1000)
            file.write(json.dumps(feature) + "\n")


def clusters(rng):
    options = {"radius": rng.choice([10, 20, 40, 80, {"0": 80, "4": 30}]),
               "algorithm": rng.choice(["spaced"] * 4 + ["greedy", "greedy", "grid"])}
    if rng.random() < 0.5:
        chosen = rng.sample(OPERATIONS, rng.randrange(1, 6))
        options["aggregates"] = {f"a{i}": word for i, word in enumerate(chosen)}
    chances = [("inherit", 0.3, ["kind"]), ("weight", 0.3, "w"), ("groupBy", 0.25, "kind"),
               ("wrap", 0.3, False), ("keepCoincident", 0.2, True),
               ("countLetters", 0.1, "K"), ("maxZoom", 0.3, rng.randrange(2, 6))]
    for name, chance, value in chances:
        if rng.random() < chance:
            options[name] = value
    if rng.random() < 0.4:
        options["position"] = rng.choice(
            ["anchor", {"max": "n"}, {"min": "n"}])
    if rng.random() < 0.4:
        options[rng.choice(["minPoints", "minUniqueLocations"])] = rng.randrange(2, 5)
    if rng.random() < 0.5:
        options["fields"] = rng.sample(FIELDS, rng.randrange(1, 4))
    return options


def tiles(rng):
    options = {"maxZoom": rng.randrange(3, 10), "minZoom": rng.choice([0, 0, 0, 1, 2])}
    chances = [("buffer", 0.5, rng.choice([0, 8, 64, 127])), ("extent", 0.2, 512),
               ("maxFeatures", 0.4, rng.randrange(1, 40)), ("maxBytes", 0.2, 1000),
               ("leaves", 0.15, False), ("heat", 0.15, True), ("spread", 0.2, rng.choice([5, 20, 90])),
               ("variableDepth", 0.2, True)]
    for name, chance, value in chances:
        if rng.random() < chance:
            options[name] = value
    if options.get("variableDepth"):
        # The values of these differ at every zoom.
        for name in ["heat", "spread"]:
            options.pop(name, None)
    if rng.random() < 0.1:
        options["maxZoom"] = "auto"
    return options


def write_case(folder, rng, counts=COUNTS):
    """Writes points and a recipe. Returns the recipe's path and its contents."""
    layers = []
    for i in range(rng.choice([1, 1, 1, 2, 3])):
        count = rng.choice(counts)
        write_points(folder / f"in{i}.geojsonl", rng, rng.choice(SHAPES), count)
        layers.append({"name": f"layer{i}", "sources": [f"in{i}.geojsonl"],
                       "clusters": clusters(rng)})
    recipe = {"tiles": tiles(rng), "layers": layers}
    path = folder / "recipe.json"
    path.write_text(json.dumps(recipe))
    return path, recipe
