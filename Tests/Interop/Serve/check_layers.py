"""Tests a page with several kinds of layers: with clusters, with bins only, and with neither. Also what the page shows and
lists, what a filter counts, and heat and legs with a filter.

    check_layers.py COVEY MAPLIBRE OUT
"""

import json
import os
import random
import subprocess
import sys
import tempfile

from browser import Browser
from server import Server

covey, maplibre, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
random.seed(5)


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_layers: {message}")


def write(path, count, middle):
    with open(path, "w") as file:
        file.write("lon,lat,kind\n")
        for _ in range(count):
            place = f"{random.gauss(middle, 6):.5f},{random.gauss(20, 6):.5f}"
            # Two points at each place.
            for kind in ("cafe", ""):
                file.write(f"{place},{kind}\n")


FACETS = {"facets": ["kind"]}


def build(work, archive, clusters, **tiles):
    """An archive of layers with these clusters."""
    with open(f"{work}/r.json", "w") as file:
        json.dump({
            "layers": [{"name": name, "sources": [f"{name}.csv"], "clusters": own} for name, own in clusters.items()],
            "tiles": {"maxZoom": 6, **tiles},
        }, file)
    subprocess.run([covey, "build", f"{work}/r.json", "-o", f"{work}/{archive}.mbtiles", "-q"], check=True)


# The roles of the visible layers of the style, for each layer.
SEEN = """Object.fromEntries(coveyView.legend.names.map((name) => [name, [...new Set(coveyView.dataLayers
    .filter((layer) => layer.metadata["covey:layer"] === name && coveyView.map.getLayoutProperty(layer.id, "visibility") !== "none")
    .map((layer) => layer.metadata["covey:role"]))].filter((role) => !["counts", "points", "room", "legs"].includes(role)).join()]))"""
SWITCH = "document.querySelector('#switches input[value=%s]').click(), 1"
LAYER = "((one) => ({ first: one.minzoom ?? 0, filter: one.filter }))(coveyView.map.getStyle().layers.find(({ id }) => id === 'bare/%s'))"


def open_page(browser, server, name):
    browser.open(f"{server.base}/#{name}@1/20/0")
    browser.wait_for(f"document.body?.dataset.map === '{name}' && {Browser.IDLE} > 0")
    listed = browser.run("[...document.querySelectorAll('#layer-list li')].filter((one) => !one.hidden).map((one) => one.dataset.layer).join()")
    check(listed == browser.run("coveyView.legend.names.join()"), f"the page lists {listed}")
    colors = browser.run("coveyView.legend.names.map((name) => coveyView.legend.color(name))")
    check(len(set(colors)) == 2 and "#c2571a" not in colors, f"the list has the colours {colors}")
    browser.screenshot(f"{out}/layers-{name}.png")
    return browser.run(SEEN)


with tempfile.TemporaryDirectory() as work:
    for name, count, middle in (("a", 400, -40), ("b", 40, 0), ("c", 300, 40)):
        write(f"{work}/{name}.csv", count, middle)
    build(work, "bare", {"a": FACETS, "b": False}, heat=True, spread=20)
    build(work, "bins", {"a": FACETS, "c": {"formed": False, **FACETS}}, bins="hexagon", binsMaxZoom=3)
    with Server(covey, "--maplibre", maplibre, f"{work}/bare.mbtiles", f"{work}/bins.mbtiles") as server, Browser() as browser:
        browser.resize(1200, 800)
        browser.prefer("light")
        seen = open_page(browser, server, "bins")
        check(seen == {"a": "clusters", "c": "bins"}, f"the page shows {seen}")
        # Every second of the 1,400 points has a kind.
        browser.wait_for("coveyView.filters.controls[0].rows.every(({ number }) => number.textContent === '700')")
        seen = open_page(browser, server, "bare")
        check(seen == {"a": "clusters", "b": "raw"}, f"the page shows {seen}")
        names = ("a-heat", "a-heat-points", "a-legs")
        browser.settle(lambda: browser.run(SWITCH % "heat"))
        before = [browser.run(LAYER % name) for name in names]
        browser.settle(lambda: browser.run("coveyView.filters.choose('kind', ['cafe']), 1"))
        finer, markers, legs = (browser.run(LAYER % name) for name in names)
        check(finer["filter"] == legs["filter"] == ["literal", False], f"a filter leaves {finer} and {legs}")
        check(markers["first"] == 0 and before[1]["first"] > 0, f"heat of markers begins at {markers['first']} under a filter")
        browser.screenshot(f"{out}/layers-heat.png")
        browser.settle(lambda: browser.run("coveyView.filters.choose('kind', undefined), 1"))
        after = [browser.run(LAYER % name) for name in names]
        check(after == before, f"without the filter there are {after}, not {before}")
        check(not browser.console, f"the console says {browser.console[:3]}")
print("check_layers: layers with clusters, bins and neither are shown, listed and filtered together")
