"""Draws every kind of style in MapLibre GL JS without a script of ours: there must be no error, and all layers must draw,
also counts.

    check_styles.py COVEY FOLDER MAPLIBRE OUT

FOLDER has an archive of each kind. A map draws the served style with all layers visible. Then the test opens the
archive's page and uses its switches; pictures go to OUT. MapLibre validates a style against its specification and reports
errors by `error` events.
"""

import json
import os
import sys

from browser import LONG, Browser
from server import Server

covey, folder, maplibre, out = sys.argv[1:]

# Returns the errors of a map with the style, and which of its layers draw something.
BARE = """(async (url, break_) => {
    const style = await (await fetch(url)).json();
    for (const layer of style.layers) {
        if (layer.layout) layer.layout.visibility = "visible";
        if (break_ && layer.type === "circle") layer.paint["circle-radius"] = ["no-such-operator"];
    }
    const container = document.createElement("div");
    container.style.height = "600px";
    document.body.append(container);
    const errors = [];
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [0, 0], zoom: 0 });
    await new Promise((done) => {
        map.on("error", (event) => {
            errors.push(event.error.message);
            done();
        });
        map.once("idle", done);
        setTimeout(() => { errors.push("the map never came to rest"); done(); }, 20000);
    });
    const drawn = errors.length > 0 ? []
        : [...new Set(map.queryRenderedFeatures().map((one) => one.layer.id))];
    map.remove();
    container.remove();
    return { errors, drawn, layers: style.layers.map((one) => one.id) };
})"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_styles: {message}")


def bare(browser, name, is_broken=False):
    return browser.run(f"{BARE}('/{name}/style.json', {json.dumps(is_broken)})")


def check_page(browser, base, name):
    browser.open(f"{base}/#{name}")
    browser.wait_for("document.body?.dataset.map && Number(document.body.dataset.idle ?? 0) > 0")
    for value in ["heat", "raw", "clusters"]:
        switch = f"document.querySelector('[value={value}]')"
        if browser.run(f"{switch}.disabled"):
            continue
        before = browser.run("Number(document.body.dataset.idle)")
        browser.run(f"{switch}.click(), coveyView.map.triggerRepaint(), 1")
        browser.wait_for(f"Number(document.body.dataset.idle) > {before}")
        browser.screenshot(f"{out}/{name}-{value}.png")


os.makedirs(out, exist_ok=True)
with Server(covey, "--maplibre", maplibre, folder) as server, Browser(draws=LONG) as browser:
    names = [one["id"] for one in json.loads(server.get("/catalog")[2])["archives"]]
    check(names, "there are no archives")
    browser.resize(820, 640)
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    for name in names:
        answer = bare(browser, name)
        check(not answer["errors"], f"{name}: {answer['errors']}")
        # There may be no single point at zoom 0, and heat maps do not return the features that they draw.
        shapes = [one for one in answer["layers"]
                  if one.endswith(("-clusters", "-counts", "-raw-points"))]
        missing = set(shapes) - set(answer["drawn"])
        check(not missing, f"{name}: nothing is drawn by {missing}")
    broken = bare(browser, names[0], is_broken=True)
    check(broken["errors"], "a broken style goes unnoticed")
    check(not browser.console, f"the console says: {browser.console[:3]}")
    for name in names:
        check_page(browser, server.base, name)
        check(not browser.console, f"{name}: the console says: {browser.console[:3]}")
print(f"check_styles: {len(names)} styles, all is well: {', '.join(names)}")
