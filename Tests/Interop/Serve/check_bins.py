"""Tests bins. Another reader reads them from all tiles, and they are compared with the points, by their outlines and by
the formulas of docs/bins.md. Also what the page shows of them, and the styles of `covey style --bins`.

    check_bins.py COVEY MAPLIBRE LATER OUT
"""

import collections
import gzip
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

import mapbox_vector_tile

from browser import LONG, Browser
from server import Server

covey, maplibre, later, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
random.seed(33)
POINTS = 5000


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_bins: {message}")


def mercator(longitude, latitude):
    sine = math.sin(math.radians(latitude))
    return longitude / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def points():
    for number in range(POINTS):
        x, y = random.choice([(179.9, 10), (8.5, 47.4), (-70, -30), (100, 40)])
        x += random.gauss(0, 8)
        yield {"type": "Feature", "id": number + 1,
               "properties": {"kind": random.choice(["cafe", "bar", "inn"]), "price": random.randrange(1, 90)},
               "geometry": {"type": "Point", "coordinates": [round((x + 180) % 360 - 180, 6), round(y + random.gauss(0, 8), 6)]}}


def bin_of(shape, pixels, zoom, x, y):
    """The row and column of a position by docs/bins.md, and its distance to the next bin."""
    columns = round(512 / pixels) << zoom
    x, y = round(x * 2**30) / 2**30, round(y * 2**30) / 2**30
    if shape == "square":
        return math.floor(y * columns), math.floor(x * columns) % columns, 1
    height = math.sqrt(3) / 2
    near = []
    for row in (math.floor(y * columns / height), math.floor(y * columns / height) + 1):
        shift = 0.5 if row % 2 else 0
        column = round(x * columns - shift)
        near.append((math.hypot(x * columns - shift - column, y * columns - row * height), row, column % columns))
    near.sort()
    return near[0][1], near[0][2], near[1][0] - near[0][0]


def check_archive(archive, shape, pixels, all_points):
    places = [(*mercator(*one["geometry"]["coordinates"]), one["properties"]) for one in all_points]
    zooms = collections.defaultdict(dict)
    for zoom, column, row, packed in sqlite3.connect(archive).execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
        for one in mapbox_vector_tile.decode(gzip.decompress(packed)).get("points_bins", {}).get("features", []):
            known = zooms[zoom].setdefault(one["id"], one["properties"])
            check(known == one["properties"], f"{zoom}/{column}/{row}: {one['id']} has other attributes in another tile")
            check(one["geometry"]["type"] in ("Polygon", "MultiPolygon"), f"{one['id']} is a {one['geometry']['type']}")
    check(len(zooms) > 2, f"{archive} has bins at {sorted(zooms)} alone")
    for zoom, found in zooms.items():
        expected = collections.defaultdict(list)
        for x, y, own in places:
            row, column, distance = bin_of(shape, pixels, zoom, x, y)
            check(distance > 1e-9, "a point of the sample is on an edge: take another seed")
            expected[2**51 + zoom * 2**46 + row * 2**23 + column].append(own)
        check(found.keys() == expected.keys(), f"{archive} has other bins at zoom {zoom}")
        for number, members in expected.items():
            own = found[number]
            check(own["point_count"] == len(members), f"bin {number} has {own['point_count']} points, not {len(members)}")
            check(abs(own["price"] - sum(one["price"] for one in members)) < 1e-6, f"bin {number} has another sum")
            width = len(own["#kind"]) // 3
            counts = [int(own["#kind"][at * width:(at + 1) * width]) for at in range(3)]
            check(counts == [sum(one["kind"] == kind for one in members) for kind in ("bar", "cafe", "inn")], f"bin {number} counts {counts}")
            check(("quadbin" in own) == (shape == "square"), f"bin {number} has a quadbin, or none")
    print(f"check_bins: {shape}s are what their points come to at {len(zooms)} zooms")


SUM_OF_BINS = """(() => {
    const { map } = coveyView, seen = new Map();
    for (const one of map.queryRenderedFeatures({ layers: coveyView.layers("bins") })) seen.set(one.id, one.properties);
    const all = [...seen.values()];
    return { count: all.length, sum: all.reduce((sum, one) => sum + one.point_count, 0),
             cafes: all.reduce((sum, one) => { const width = one["#kind"].length / 3; return sum + Number(one["#kind"].slice(width, 2 * width)); }, 0) };
})()"""


PICK = """(async () => {
    const { map } = coveyView;
    const [bin] = map.queryRenderedFeatures({ layers: coveyView.layers("bins") }).sort((a, b) => b.properties.point_count - a.properties.point_count);
    const ring = bin.geometry.type === "Polygon" ? bin.geometry.coordinates[0] : bin.geometry.coordinates[0][0];
    const middle = [0, 1].map((at) => ring.slice(1).reduce((sum, one) => sum + one[at], 0) / (ring.length - 1));
    await coveyView.pick(coveyView.featuresAt(map.project(middle)));
    const hull = await map.getSource("covey-hull").getData();
    const text = (id) => document.getElementById(id).textContent;
    return { count: bin.properties.point_count, price: bin.properties.price, title: text("panel-title"), body: text("panel-body"), hull: hull.geometry?.type,
             buttons: document.querySelectorAll("#panel-body button").length, isOpen: !document.getElementById("panel").hidden };
})()"""


def check_panel(browser):
    """A clicked bin shows its contents, and stays selected as long as it is drawn."""
    found = browser.run(PICK)
    check(found["isOpen"] and found["title"] == f"{found['count']:,} points", f"the panel of a bin says {found}")
    check("cafe" in found["body"] and f"{found['price']:,}" in found["body"], f"the panel of a bin says {found}")
    check(found["hull"] in ("Polygon", "MultiPolygon") and found["buttons"] == 0, f"the panel of a bin says {found}")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 1 }), 1"))
    check(browser.run("document.getElementById('panel').hidden"), "the panel of a bin that is drawn no more stays")
    # Outside of the view it is still selected.
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 2.9, center: [8.5, 47.4] }), 1"))
    check(browser.run(PICK)["isOpen"], "a bin at zoom 2 opens no panel")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ center: [-100, -50] }), 1"))
    check(not browser.run("document.getElementById('panel').hidden"), "the panel of a bin beyond the edge goes")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 1, center: [8.5, 47.4] }), 1"))
    check(browser.run("document.getElementById('panel').hidden"), "the panel of a bin of another zoom stays")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 0 }), 1"))


def check_page(server, browser, all_points):
    browser.resize(1200, 800)
    browser.prefer("light")
    browser.open(f"{server.base}/#hexagon@0/20/0")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")
    browser.settle(lambda: browser.run("document.querySelector('[value=bins]').click(), coveyView.map.jumpTo({ zoom: 0 }), coveyView.map.triggerRepaint(), 1"))
    found = browser.run(SUM_OF_BINS)
    check(found["sum"] == POINTS, f"the page shows {found}")
    check(browser.run("document.querySelectorAll('#legend li').length") == 4, "the legend does not say what colours mean")
    browser.screenshot(f"{out}/bins.png")
    clusters = "coveyView.map.queryRenderedFeatures({ layers: coveyView.layers('clusters', 'points') }).length"
    check(browser.run(clusters) == 0, "clusters are drawn over bins")
    # The filter applies to bins too: bins without a chosen point disappear.
    browser.settle(lambda: browser.run("coveyView.filters.choose('kind', ['cafe']), 1"))
    chosen = browser.run(SUM_OF_BINS)
    check(chosen["cafes"] == sum(one["properties"]["kind"] == "cafe" for one in all_points) and chosen["count"] <= found["count"],
          f"the filter shows {chosen}")
    browser.settle(lambda: browser.run("coveyView.filters.choose('kind', undefined), 1"))
    check_panel(browser)
    # Beyond the last zoom with bins, clusters are drawn.
    last = browser.run("coveyView.dataLayers.find((one) => one.metadata['covey:role'] === 'bins').maxzoom")
    browser.settle(lambda: browser.run(f"coveyView.map.jumpTo({{ zoom: {last}.2, center: [8.5, 47.4] }}), 1"))
    check(browser.run(clusters) > 0 and browser.run(SUM_OF_BINS)["count"] == 0, "below the bins there is nothing")
    # If an archive has only bins for its points, the page shows bins first.
    browser.open(f"{server.base}/#alone@0/20/0")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0 && coveyView.described.name")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 0 }), coveyView.map.triggerRepaint(), 1"))
    check(browser.run(SUM_OF_BINS)["sum"] == POINTS, "bins alone are not shown")
    check(not browser.console, f"the console says {browser.console[:3]}")
    print("check_bins: the page shows bins, filters them, and goes on with clusters")


DRAWN = """(async (style) => {
    const container = document.createElement("div");
    container.style.cssText = "height: 512px; width: 512px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [0, 0], zoom: 0, pitch: 30, renderWorldCopies: false });
    const faults = [];
    map.on("error", ({ error }) => faults.push(String(error)));
    await map.once("idle");
    const layers = style.layers.filter(({ metadata }) => metadata?.["covey:role"] === "bins").map(({ id }) => id);
    const seen = new Set(map.queryRenderedFeatures({ layers }).map(({ id }) => id));
    map.remove();
    container.remove();
    return { faults, bins: seen.size };
})"""


def check_looks(server, browser, library):
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    for name in ("hexagon", "square", "alone"):
        for look in ("color", "opacity", "height"):
            text = subprocess.run([covey, "style", f"{server.folder}/{name}.mbtiles", "--bins", look, "--url", f"{server.base}/{name}"],
                                  check=True, capture_output=True, text=True).stdout
            answer = browser.run(f"{DRAWN}({text})")
            check(answer["bins"] > 20 and not answer["faults"], f"{library}: {name} by {look} draws {answer}")
    print(f"check_bins: color, opacity and height are drawn by {library}")


with tempfile.TemporaryDirectory() as work:
    all_points = list(points())
    with open(f"{work}/points.geojsonl", "w") as lines:
        lines.writelines(json.dumps(one) + "\n" for one in all_points)
    folder = f"{work}/served"
    os.mkdir(folder)
    for name, bins, more in [("hexagon", "hexagon:50", []), ("square", "square:64", []), ("alone", "hexagon:40", ["--no-clusters"])]:
        subprocess.run([covey, "build", f"{work}/points.geojsonl", "-o", f"{folder}/{name}.mbtiles", "--quiet", "--bins", bins,
                        "--facet", "kind", "--aggregate", "price=sum:price", *more], check=True)
        shape, pixels = bins.split(":")
        check_archive(f"{folder}/{name}.mbtiles", shape, int(pixels), all_points)
        result = subprocess.run([covey, "verify", "--deep", f"{folder}/{name}.mbtiles"], capture_output=True, text=True)
        check(result.returncode == 0, f"verify says {result.stdout}")
    for library, path in (("GL JS 5.3", maplibre), ("GL JS 5.24", later)):
        with Server(covey, folder, "--maplibre", path) as server, Browser(draws=LONG) as browser:
            server.folder = folder
            check_looks(server, browser, library)
            check_page(server, browser, all_points)
