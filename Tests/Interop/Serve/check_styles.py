"""Every kind of style in MapLibre GL JS with no script of ours: nothing in it is an error, all its
layers draw, counts too.

    check_styles.py COVEY FOLDER MAPLIBRE OUT

FOLDER holds archives of one kind each. The style goes to a map as it is served, with all layers
visible at once; then the archive's page is opened and switched through, pictures going to OUT.
MapLibre checks a style against its specification and tells of faults by `error` events.
"""

import json
import os
import sys

from browser import LONG, Browser
from server import Server

covey, folder, maplibre, out = sys.argv[1:]

# Answers with the errors that a map of the style has, and which of its layers draw something.
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
        # There may be no point on its own at zoom 0, and heat maps tell nothing of what they draw.
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
