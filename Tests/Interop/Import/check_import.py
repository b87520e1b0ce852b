"""Compares the tiles of `covey recipe import` with the live source, in Chromium.

    check_import.py COVEY MAPLIBRE [CASE…]

For each case a page draws a style with its GeoJSON sources and, beside it, the imported style with its
baked tiles. At several zooms and places both must have the same features in every tile, draw the same,
and give the same answers about clusters.
"""

import functools
import http.server
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent / "Serve"))
from browser import Browser  # noqa: E402
from server import Server  # noqa: E402

import cases  # noqa: E402

# Zooms at, between and beyond those with tiles, and the centres: the world, a town, the date line, a pole.
VIEWS = [(0, 0, 10), (1.4, 30, 20), (3, 179.9, -17), (4.5, 13.4, 52.5), (6, -179.5, -17),
         (8, 13.4, 52.5), (10.6, 13.4, 52.5), (12, 13.4, 52.5), (15, 13.4, 52.5),
         (2, 0, 84), (5, 20, 30), (18.5, 13.4, 52.5)]
UNITS = 13  # MapLibre cuts live tiles into 2^13 units a side.
WIDEST_MARGIN = 127
COARSE_ZOOM = 13  # The live source reckons clusters from places of 24 bits, Covey of 52.


class Failure(Exception):
    pass


def spelled(feature):
    """Everything that must be equal except the position: properties, and the ids of points.

    Ids of clusters are Covey's own, as is expansion_zoom; the abbreviated count is always text.
    """
    properties = {key: round(value, 9) if isinstance(value, float) else value
                  for key, value in feature["properties"].items()}
    number = None
    if properties.get("cluster"):
        properties.pop("cluster_id")
        properties.pop("expansion_zoom", None)
        properties["point_count_abbreviated"] = str(properties["point_count_abbreviated"])
    else:
        number = feature["id"]
    return json.dumps([number, properties], sort_keys=True, ensure_ascii=False)


def world(feature):
    """The position of a feature in the unit square."""
    sine = math.sin(math.radians(feature["lat"]))
    return feature["lon"] / 360 + 0.5, 0.5 - 0.25 * math.log((1 + sine) / (1 - sine)) / math.pi


def pairs(where, live, baked, distance, tolerance):
    """Pairs each live feature with the nearest baked feature of equal content."""
    waiting = {}
    for feature in baked:
        waiting.setdefault(spelled(feature), []).append(feature)
    paired = []
    for feature in live:
        others = waiting.get(spelled(feature), [])
        nearest = min(others, key=lambda other: distance(feature, other), default=None)
        if nearest is None or distance(feature, nearest) > tolerance:
            away = nearest and distance(feature, nearest)
            raise Failure(f"{where}: only live: {feature}; nearest equal {away} away; "
                          f"only baked: {[f for fs in waiting.values() for f in fs][:3]}")
        others.remove(nearest)
        paired.append((feature, nearest))
    left = [feature for features in waiting.values() for feature in features]
    if left:
        raise Failure(f"{where}: only baked: {left[:3]}")
    return paired


def within(feature, margin):
    """Whether a feature is in its tile or at most so far from it (in tiles), and not on the edge of that.

    At zoom 0 the live tile also has copies from the neighbouring worlds, and the baked one has not.
    """
    z, x, y = feature["tile"]
    margin = margin if z > 0 else 0
    wx, wy = world(feature)
    brink = 2.0 / (1 << UNITS)
    return (-margin < wx * 2 ** z - x < 1 + margin and -margin < wy * 2 ** z - y < 1 + margin
            and all(abs(edge) > brink for at in (wx * 2 ** z - x, wy * 2 ** z - y)
                    for edge in (at + margin, at - 1 - margin)))


def compare_tiles(where, live, baked, margin):
    paired = []
    tiles = {tuple(feature["tile"]) for feature in live + baked}
    for tile in sorted(tiles):
        tolerance = 2 + 2.0 ** (tile[0] + UNITS - 24)

        def distance(a, b):
            (ax, ay), (bx, by) = world(a), world(b)
            return max(abs(ax - bx), abs(ay - by)) * 2 ** (tile[0] + UNITS)

        sides = [[f for f in side if tuple(f["tile"]) == tile and within(f, margin)]
                 for side in (live, baked)]
        paired += pairs(f"{where}, tile {tile}", *sides, distance, tolerance)
    return paired


def compare_drawn(where, live, baked, zoom):
    """The drawn features, each once, rounded to a pixel or to 15 cm."""
    def once(features):
        kept = {}
        for feature in features:
            if 10 < feature["x"] < 610 and 10 < feature["y"] < 490:
                kept[spelled(feature), round(feature["x"] / 4), round(feature["y"] / 4)] = feature
        return list(kept.values())

    def distance(a, b):
        return math.hypot(a["x"] - b["x"], a["y"] - b["y"])

    return pairs(f"{where}, drawn", once(live), once(baked), distance, 1 + 2.0 ** (zoom - 19))


def compare_answers(browser, where, source, paired):
    """The answers about the largest clusters of a view must be those of the live source."""
    clusters = [pair for pair in paired if pair[0]["properties"].get("cluster")]
    clusters.sort(key=lambda pair: -pair[0]["properties"]["point_count"])
    for pair in clusters[:2] + clusters[-3:]:
        ids = [feature["properties"]["cluster_id"] for feature in pair]
        count = pair[0]["properties"]["point_count"]
        live, baked = browser.run(f"ask({json.dumps(source)}, {ids}, {count})")
        if live["zoom"] != baked["zoom"] or baked["zoom"] != pair[1]["properties"]["expansion_zoom"]:
            raise Failure(f"{where}: expansion zooms {live['zoom']} and {baked['zoom']}")
        if live["page"] != baked["page"] or len(live["leaves"]) != count:
            raise Failure(f"{where}: pages of {live['page']} and {baked['page']}")
        # At such a zoom, 24 bits are too few to compare distances.
        for question in ["children", "leaves"] if live["zoom"] < COARSE_ZOOM else ["leaves"]:
            content = [sorted(map(answer, side[question])) for side in (live, baked)]
            if content[0] != content[1]:
                raise Failure(f"{where}: {question} of {ids}: " + "; ".join(
                    str([one for one in mine if one not in theirs][:3])
                    for mine, theirs in (content, content[::-1])))
    return len(clusters[:2] + clusters[-3:])


def answer(feature):
    """A child or leaf: the live source returns points unchanged, with nulls and objects."""
    return spelled({"id": None, "properties": {
        key: json.dumps(value, separators=(",", ":")) if isinstance(value, (dict, list)) else value
        for key, value in feature["properties"].items() if value is not None}})


def prepare(covey, folder, name):
    """The case's two styles and its archive."""
    place = folder / name
    place.mkdir()
    (place / "trees.geojson").write_text(json.dumps(cases.points()))
    style = cases.style(cases.CASES[name])
    (place / "style.json").write_text(json.dumps(style))
    for source in style["sources"].values():
        source["data"] = f"{name}/trees.geojson"
    (place / "live.json").write_text(json.dumps(style))
    subprocess.run(
        [covey, "recipe", "import", "style.json", "-o", f"{name}.json", "--style", "imported.json"],
        cwd=place, check=True)
    subprocess.run(
        [covey, "build", f"{name}.json", "-o", folder / f"{name}.mbtiles", "--quiet"], cwd=place,
        check=True)
    return json.loads((place / "imported.json").read_text())


def look(browser, name):
    sources = cases.CASES[name]
    features = answers = 0
    for zoom, lon, lat in VIEWS:
        found = browser.run(f"look({zoom}, {lon}, {lat}, {json.dumps(list(sources))})")
        for source, (live, baked) in found.items():
            where = f"{name}.{source} at {zoom}/{lon}/{lat}"
            depths = {f["tile"][0] for side in (live, baked) for f in side["tiles"]}
            # Beyond the deepest baked tiles, only the screens can be compared.
            settings = sources[source]
            margin = settings.get("clusterRadius", 50) if settings.get("cluster") else \
                settings.get("buffer", 128)
            paired = compare_drawn(where, live["drawn"], baked["drawn"], zoom)
            if depths <= {int(zoom)}:
                paired = compare_tiles(
                    where, live["tiles"], baked["tiles"], min(margin, WIDEST_MARGIN) / 512)
            features += len(paired)
            answers += compare_answers(browser, where, source, paired)
    return features, answers


def open_page(browser, folder, name, style, addresses):
    """Opens the case's page, with its tiles from `covey serve`."""
    site, server = addresses
    for source in style["sources"].values():
        if source["type"] == "vector":
            source["url"] = server + source["url"]
    (folder / name / "baked.json").write_text(json.dumps(style))
    browser.open(f"{site}/page.html?case={name}&server={server}")
    browser.wait_for("document.body?.dataset.ready")


def serve_files(folder):
    handler = functools.partial(Quiet, directory=str(folder))
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{site.server_port}"


def main(covey, maplibre, *names):
    covey, folder = os.path.realpath(covey), pathlib.Path(tempfile.mkdtemp())
    failures = 0
    try:
        for file in [pathlib.Path(maplibre) / "maplibre-gl.js", here / "page.html"]:
            shutil.copy(file, folder)
        styles = {name: prepare(covey, folder, name) for name in names or cases.CASES}
        archives = [str(folder / f"{name}.mbtiles") for name in styles]
        site = serve_files(folder)
        with Server(covey, *archives) as server, Browser() as browser:
            browser.resize(1240, 500)
            for name, style in styles.items():
                open_page(browser, folder, name, style, (site, server.base))
                try:
                    features, answers = look(browser, name)
                    print(f"check_import: {name}: {features} features and {answers} clusters' "
                          "answers are as they were live")
                except Failure as failure:
                    failures += 1
                    print(f"check_import: {failure}", file=sys.stderr)
    finally:
        shutil.rmtree(folder)
    return 1 if failures else 0


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


sys.exit(main(*sys.argv[1:]))
