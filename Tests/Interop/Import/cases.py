"""Typical sources of styles, and points for them, made from a seed."""

import random

SUM = {"sum": ["+", ["get", "value"]], "high": ["max", ["get", "height"]],
       "any": ["any", ["==", ["get", "kind"], "fir"]]}
LONG = {
    "firs": [["+", ["accumulated"], ["get", "firs"]],
             ["case", ["==", ["get", "kind"], "fir"], 1, 0]],
    "low": [["min", ["accumulated"], ["get", "low"]], ["get", "height"]],
}
OAKS = ["in", ["get", "kind"], ["literal", ["oak", "fir"]]]

# Each case has the sources of one style. Missing members have MapLibre's defaults.
CASES = {
    "defaults": {"trees": {"cluster": True}},
    "radius": {"trees": {
        "cluster": True, "clusterRadius": 40, "clusterMaxZoom": 9, "clusterMinPoints": 2,
        "clusterProperties": SUM}},
    "groups": {"trees": {
        "cluster": True, "clusterRadius": 40, "clusterMaxZoom": 11, "clusterMinPoints": 4,
        "clusterProperties": LONG, "filter": OAKS, "promoteId": "number", "buffer": 64}},
    "numbered": {"trees": {
        "cluster": True, "clusterRadius": 80, "clusterMaxZoom": 4, "generateId": True,
        "filter": [">", ["get", "value"], 20]}},
    "together": {"trees": {
        "cluster": True, "maxzoom": 6, "clusterMaxZoom": 8, "clusterMinPoints": 3}},
    "first": {"trees": {"cluster": True, "clusterMaxZoom": 0, "clusterRadius": 120}},
    "wide": {"trees": {"cluster": True, "clusterRadius": 200, "clusterMaxZoom": 7}},
    "several": {
        "firs": {"cluster": True, "clusterMaxZoom": 7, "clusterRadius": 60,
                 "filter": ["==", ["get", "kind"], "fir"]},
        "trees": {"cluster": True, "clusterMaxZoom": 10, "clusterMinPoints": 3},
        "dots": {"generateId": True, "buffer": 16, "filter": ["==", ["get", "kind"], "oak"]},
    },
}


def style(sources):
    layers = [{"id": name, "type": "circle", "source": name} for name in sources]
    return {"version": 8, "layers": layers, "sources": {
        name: {"type": "geojson", "data": "trees.geojson", **source}
        for name, source in sources.items()}}


def points(count=1500, seed=11):
    """Trees in towns of all sizes, some at the same place, some near the date line, a few at the poles."""
    rng = random.Random(seed)
    towns = [(rng.uniform(-179, 179), rng.uniform(-60, 70), 10 ** rng.uniform(-3, 0.7))
             for _ in range(20)] + [(180, -17, 1.5), (13.4, 52.5, 0.01)]
    features, place = [], None
    for number in range(count):
        if not place or rng.random() > 0.04:
            lon, lat, width = rng.choice(towns)
            lon, lat = rng.gauss(lon, width), rng.gauss(lat, width)
            if rng.random() < 0.01:
                lat = rng.choice([-89.5, 88])
            place = [round((lon + 180) % 360 - 180, 6), round(lat, 6)]
        features.append(feature(number, place, rng))
    return {"type": "FeatureCollection", "features": features}


def feature(number, place, rng):
    properties = {
        "number": number * 7 + 3, "kind": rng.choice(["oak", "fir", "Kiefer – 松"]),
        "value": rng.randrange(400) / 4, "height": rng.randrange(-5, 60),
        "tall": rng.random() < 0.5, "note": rng.choice([None, {"by": ["a", 1]}, ""]),
    }
    made = {"type": "Feature", "properties": properties,
            "geometry": {"type": "Point", "coordinates": place}}
    # Ids are numbers, texts of numbers, or missing.
    if number % 3:
        made["id"] = number + 5_000_000 if number % 3 == 1 else str(number + 5_000_000)
    return made
