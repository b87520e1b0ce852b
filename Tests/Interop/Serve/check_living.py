"""Tests an archive that changes while maps in Chromium show it: new tiles, the selection, and that nothing jumps.

    check_living.py COVEY MAPLIBRE LATER OUT

`covey serve points.csv` serves points from a table that grows. The test compares with it the preview page, and a page
with covey.js and an early and a late MapLibre GL JS.
"""

import os
import random
import sys
import tempfile
import time

from browser import Browser
from server import Server

covey, maplibre, later, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)

PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="{base}/-/maplibre-gl.css">
<div id="map" style="width: 800px; height: 600px"></div><script src="{base}/-/maplibre-gl.js"></script>
<script type="module">
import {{ follow }} from "{base}/covey.js";
const map = globalThis.map = new maplibregl.Map({{ container: "map", style: "{base}/points/style.json", center: [10, 47], zoom: 4,
    fadeDuration: 0 }});
Object.assign(globalThis, {{ changes: [], follow }});
globalThis.frames = [];
map.on("load", () => {{
    globalThis.motion = follow(map, Object.keys(map.getStyle().sources)[0], {{
        url: "{base}/points", changed: (tiles) => changes.push(tiles) }});
    const layers = map.getStyle().layers.filter((one) => ["clusters", "points"].includes(one.metadata?.["covey:role"]))
        .map((one) => one.id);
    map.on("render", () => frames.push(Object.fromEntries(map.queryRenderedFeatures({{ layers }}).map((one) =>
        [one.id, [...one.geometry.coordinates, one.properties.point_count ?? 1]]))));
    map.on("idle", () => {{ globalThis.isIdle = true; }});
}});
</script>"""

PAGE_SUM = """(() => {
    const layers = map.getStyle().layers.filter((one) => ["clusters", "points"].includes(one.metadata?.["covey:role"]));
    const found = new Map(map.queryRenderedFeatures({ layers: layers.map((one) => one.id) }).map((one) => [one.id, one]));
    return [...found.values()].reduce((sum, one) => sum + (one.properties.point_count ?? 1), 0);
})()"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_living: {message}")


class Table:
    """A CSV file that grows."""

    def __init__(self, path):
        self.path, self.count = path, 0
        with open(path, "w") as file:
            file.write("lon,lat,number\n")
        rng = random.Random(1)
        # A town in the middle, which changes, and others at some distance.
        self.add([(rng.gauss(10, 0.3), rng.gauss(47, 0.3)) for _ in range(200)])
        self.add([(rng.gauss(x, 0.3), rng.gauss(y, 0.3)) for x, y in [(2, 44), (18, 44), (2, 50), (18, 50)]
                  for _ in range(100)])

    def add(self, places):
        with open(self.path, "a") as file:
            for x, y in places:
                file.write(f"{x:.6f},{y:.6f},{self.count}\n")
                self.count += 1


def wait_for_sum(browser, expression, count, what):
    try:
        browser.wait_for(f"{expression} === {count}", 20)
    except TimeoutError:
        raise SystemExit(f"check_living: {what}: {browser.run(expression)} points are drawn, not {count}")


def check_page_of_others(browser, base, table, name):
    page = os.path.join(os.path.dirname(table.path), f"{name}.html")
    with open(page, "w") as file:
        file.write(PAGE.format(base=base))
    browser.open(f"file://{page}")
    browser.wait_for("globalThis.isIdle")
    wait_for_sum(browser, PAGE_SUM, table.count, name)
    # The client sends its version once, and then gets the changes since that version.
    time.sleep(2.5)
    browser.run("frames.length = 0, 1")
    browser.run("globalThis.before = map.queryRenderedFeatures().length, 1")
    table.add([(10.02, 47.01), (10.3, 46.8), (9.8, 47.2)])
    wait_for_sum(browser, PAGE_SUM, table.count, f"{name}, after a change")
    changes = browser.run("changes")
    check(len(changes) == 1 and changes[0] and "0/0/0" in changes[0], f"{name}: the changes are {changes}")
    frames = browser.run("frames")
    check(len(frames) > 0, f"{name}: no frame was drawn anew")
    # Markers far from the change are in every frame, and do not move.
    first = frames[0]
    far = {key: one for key, one in first.items() if abs(one[0] - 10) > 5}
    check(len(far) >= 4, f"{name}: {len(far)} markers lie far away")
    for frame in frames:
        for key, one in far.items():
            check(frame.get(key) == one, f"{name}: {key} went from {one} to {frame.get(key)} in a frame")
    browser.run("motion.stop(), 1")
    check(not browser.console, f"{name}: {browser.console}")
    print(f"check_living: {name}: {table.count} points after a change; {len(far)} markers stayed in {len(frames)} frames")


def check_growth(browser, table, name):
    """Adds points far outside of the former bounds, in the view and outside of it."""
    browser.run("""changes.length = 0, motion = follow(map, Object.keys(map.getStyle().sources)[0], {
        changed: (tiles) => changes.push(tiles) }), 1""")
    sydney, santiago = [151, -34], [-70, -33]

    def add(x, y):
        table.add([(x + number / 40, y + number / 60) for number in range(-20, 20)])

    def go(place):
        browser.run(f"isIdle = false, map.jumpTo({{ center: {place}, zoom: 5 }}), 1")
        browser.wait_for("isIdle")

    go(sydney)
    check(browser.run(PAGE_SUM) == 0, f"{name}: there are points at {sydney}")
    add(*sydney)
    wait_for_sum(browser, PAGE_SUM, 40, f"{name}, where new points came")
    add(*santiago)
    browser.wait_for("changes.length === 2", 20)
    go(santiago)
    wait_for_sum(browser, PAGE_SUM, 40, f"{name}, gone to new points")
    browser.run("motion.stop(), 1")
    check(not browser.console, f"{name}: {browser.console}")
    print(f"check_living: {name}: points outside of the former bounds are drawn")


def check_preview(browser, base, table):
    browser.open(f"{base}/#points@4/47/10")
    browser.wait_for("document.body?.dataset.map && Number(document.body?.dataset.idle ?? 0) > 0")
    time.sleep(2.5)
    found = browser.run("""(async () => {
        const all = coveyView.inOrder().filter((one) => one.properties.point_count > 1);
        await coveyView.pick([all[0]]);
        return { id: all[0].properties.cluster_id, count: all[0].properties.point_count };
    })()""")
    check(browser.run("!document.querySelector('#panel').hidden"), "the panel is not open")
    far = """(() => {
        const all = coveyView.inOrder().filter((one) => one.properties.point_count > 1);
        return all.at(-1).properties;
    })()"""
    chosen = browser.run(far)
    browser.run(f"coveyView.pick([coveyView.inOrder().find((one) => one.properties.cluster_id === {chosen['cluster_id']})])")
    table.add([(10.1, 47.1)])
    browser.wait_for("!document.querySelector('#fresh').hidden", 20)
    browser.screenshot(f"{out}/living.png")
    # The cluster that is selected did not change, and neither did its id.
    browser.wait_for(f"coveyView.panel.feature?.properties.cluster_id === {chosen['cluster_id']}")
    check(f"{chosen['point_count']} points" in browser.run("document.querySelector('#panel').textContent"),
          "the panel lost its cluster")
    # If the selected cluster has changed its count or is gone, the panel says so.
    browser.run(f"""coveyView.pick([coveyView.inOrder().find((one) => one.properties.point_count > 1
        && Math.abs(one.geometry.coordinates[0] - 10) < 3)])""")
    title = browser.run("document.querySelector('#panel-title').textContent")
    place = browser.run("coveyView.panel.feature.geometry.coordinates")
    table.add([place])
    browser.wait_for(f"""document.querySelector('#panel-title').textContent !== {title!r}
        || document.querySelector('#panel-lead').textContent.startsWith('This cluster is no more')""", 20)
    # Points outside of the bounds at the opening of the page are drawn, and belong to all data.
    check(browser.run("coveyView.bounds[1][1]") < 70, "the page begins with bounds too wide")
    table.add([(16 + number / 40, 78) for number in range(40)])
    browser.wait_for("coveyView.bounds[1][1] > 77", 20)
    browser.run("coveyView.map.jumpTo({ center: [16.5, 78], zoom: 6 }), 1")
    browser.wait_for("coveyView.inOrder().reduce((sum, { properties }) => sum + (properties.point_count ?? 1), 0) === 40", 20)
    errors = [line for line in browser.console if "404" not in line]
    check(not errors, f"the preview page: {errors}")
    print(f"check_living: the page announced new data, kept {chosen['cluster_id']}, and renewed {title!r} "
          f"(first choice {found['id']})")


with tempfile.TemporaryDirectory() as folder:
    for name, library in [("early", maplibre), ("late", later)]:
        table = Table(f"{folder}/points.csv")
        with Server(covey, table.path, "--maplibre", library) as server, Browser() as browser:
            browser.resize(1000, 700)
            check_page_of_others(browser, server.base, table, name)
            check_growth(browser, table, name)
            if name == "early":
                browser.prefer("light")
                check_preview(browser, server.base, table)
