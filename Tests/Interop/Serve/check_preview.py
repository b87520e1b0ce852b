"""Tests the preview page in a browser: counts, clicks, paging, switches, keyboard, no errors.

    check_preview.py COVEY ARCHIVE POINTS MAPLIBRE OUT

ARCHIVE has POINTS clustered points; screenshots go to OUT.
"""

import json
import os
import statistics
import sys
import time

from browser import LONG, Browser
from server import Server

covey, archive, points, maplibre, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
name = os.path.basename(archive).removesuffix(".mbtiles")

LARGEST = """(() => {
    const map = coveyView.map, box = map.getCanvas().getBoundingClientRect();
    const all = map.queryRenderedFeatures({ layers: coveyView.layers("clusters") });
    const best = all.sort((a, b) => b.properties.point_count - a.properties.point_count)
        .find((one) => {
            const at = map.project(one.geometry.coordinates);
            const isWithin = at.x > 20 && at.y > 20 && at.x < box.width - 20 && at.y < box.height - 20;
            return isWithin && document.elementFromPoint(at.x + box.x, at.y + box.y)?.tagName === "CANVAS";
        });
    const at = map.project(best.geometry.coordinates);
    return { x: at.x + box.x, y: at.y + box.y, place: best.geometry.coordinates, ...best.properties };
})()"""

# Each feature once: its copies in other worlds and in margins of tiles have the same id or place.
SUM = """(() => {
    const seen = new Set();
    let sum = 0;
    const layers = coveyView.layers("clusters", "points");
    for (const one of coveyView.map.queryRenderedFeatures({ layers })) {
        const key = one.properties.cluster_id ?? one.geometry.coordinates.map((n) => n.toFixed(4)).join()
            + JSON.stringify(one.properties);
        if (seen.has(key)) continue;
        seen.add(key);
        sum += one.properties.point_count ?? 1;
    }
    return sum;
})()"""


# The controls that are covered by something else.
COVERED = """[...document.querySelectorAll(".maplibregl-ctrl button, .switches label, #panel-close")].filter((one) => {
    const box = one.getBoundingClientRect();
    if (box.width === 0) return false;
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !one.contains(hit) && !hit?.contains(one);
}).map((one) => one.outerHTML).join()"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_preview: {message}")



def open_map(browser, base):
    browser.open(f"{base}/#{name}")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")


def check_counts(browser):
    browser.settle(lambda: browser.run(
        "coveyView.map.jumpTo({ zoom: 0, center: [0, 0] }), coveyView.map.triggerRepaint(), 1"))
    found = browser.run(SUM)
    check(found == int(points), f"at zoom 0 the counts add up to {found}, not {points}")


def check_cluster(browser):
    cluster = browser.run(LARGEST)
    before = browser.run("coveyView.map.getZoom()")
    browser.click(cluster["x"], cluster["y"])
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    check(browser.run("coveyView.map.getZoom()") == before, "a click zooms")
    ring = "coveyView.map.querySourceFeatures('covey-ring')"
    browser.wait_for(f"{ring}.length > 0")
    title = browser.run("document.getElementById('panel-title').textContent")
    check(title.startswith(f"{cluster['point_count']:,} "), f"the panel says {title}")
    browser.wait_for("coveyView.map.querySourceFeatures('covey-hull').length > 0")
    check_pages(browser)
    browser.settle(lambda: browser.run("document.querySelector('.actions .primary').click(), 1"))
    zoom = browser.run("coveyView.map.getZoom()")
    check(abs(zoom - cluster["expansion_zoom"]) < 0.01, f"the button led to zoom {zoom}")
    # At its expansion zoom the cluster has split, as soon as the tiles are loaded.
    browser.wait_for(
        f"!coveyView.map.queryRenderedFeatures({{ layers: coveyView.layers('clusters') }})"
        f".some((one) => one.properties.cluster_id === {cluster['cluster_id']})")
    # The selected cluster is gone, and so are its hull and ring.
    browser.wait_for("document.getElementById('panel').hidden", 10)
    browser.wait_for(f"{ring}.length === 0 && coveyView.map.querySourceFeatures('covey-hull').length === 0", 10)
    check_sight(browser, cluster)


def check_sight(browser, cluster):
    """The clicked place is not behind the panel or the switches after the map has moved."""
    place = browser.run(f"((coordinates) => {{" + """
        const at = coveyView.map.project(coordinates);
        const view = document.getElementById("view").getBoundingClientRect();
        const hit = document.elementFromPoint(at.x + view.x, at.y + view.y);
        return { x: at.x, y: at.y, hit: hit?.className ?? "nothing" };
    """ + f"}})({cluster['place']})")
    check("canvas" in place["hit"], f"the cluster's place is covered: {place}")


def check_double_click(browser):
    cluster = browser.run(LARGEST)
    browser.settle(lambda: browser.click(cluster["x"], cluster["y"], count=2))
    zoom = browser.run("coveyView.map.getZoom()")
    check(abs(zoom - cluster["expansion_zoom"]) < 0.01, f"a double click led to zoom {zoom}")


def open_panel(browser):
    """Clicks the largest cluster in sight."""
    cluster = browser.run(LARGEST)
    browser.click(cluster["x"], cluster["y"])
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    return cluster


def check_parent(browser):
    """The map moves to the parent and selects it; heat has no selection."""
    open_panel(browser)
    browser.settle(lambda: browser.run("document.querySelector('.actions button:last-child').click(), 1"))
    browser.wait_for("!coveyView.map.isMoving() && coveyView.panel.feature && !coveyView.panel.isPinned")
    browser.run("coveyView.map.triggerRepaint(), 1")
    time.sleep(0.5)
    check(not browser.run("document.getElementById('panel').hidden"), "the parent's panel closes")
    check(browser.run("coveyView.inOrder().some((one) => one.properties.cluster_id === coveyView.panel.feature.properties.cluster_id)"),
          "the parent is not in sight")
    browser.run("document.querySelector('[value=heat]').click(), 1")
    check(browser.run("document.getElementById('panel').hidden"), "the panel stays over heat")
    browser.wait_for("coveyView.map.querySourceFeatures('covey-ring').length === 0", 10)
    browser.settle(lambda: browser.run("document.querySelector('[value=clusters]').click(), 1"))


def check_search(browser):
    """The search reads all points, and the map moves to a result."""
    browser.run("document.getElementById('search').click(), 1")
    check(browser.run("document.activeElement.type") == "search", "the search has no focus")
    browser.press("Escape")
    check(browser.run("document.getElementById('panel').hidden && document.activeElement.tagName === 'CANVAS'"), "Escape does not leave the search for the map")
    browser.run("document.getElementById('search').click(), 1")
    field = "document.querySelector('.points input')"
    browser.run(f"{field}.value = 'Place</i> 4321', {field}.dispatchEvent(new Event('input')), 1")
    browser.wait_for("document.querySelector('.points .status').textContent.includes('\u201c')")
    found = browser.run("[...document.querySelectorAll('.leaves summary')].map((one) => one.textContent)")
    check(found == ["<i>Place</i> 4321"], f"a search of all points finds {found}")
    browser.run("document.querySelector('.leaves button').click(), 1")
    browser.wait_for("""(({ geometry }) => geometry && coveyView.featuresAt(coveyView.map.project(geometry.coordinates))
        .some((one) => one.properties.name === "<i>Place</i> 4321"))(coveyView.map.getSource("covey-mark").serialize().data)""")
    browser.press("Escape")


def check_names(browser):
    """No name of a country is under a marker."""
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 3.2, center: [15, 48] }), 1"))
    hidden = browser.wait_for("""(() => {
        const { map } = coveyView;
        // Symbols are placed some frames after the map is drawn.
        const names = map.queryRenderedFeatures({ layers: ["covey-names"] });
        if (names.length === 0 || !map.loaded()) return null;
        const middles = names.map((one) => [one.properties.name, map.project(one.geometry.coordinates)]);
        const under = coveyView.inOrder().filter((one) => one.properties.point_count > 1).flatMap((one) => {
            const at = map.project(one.geometry.coordinates);
            return middles.filter(([, { x, y }]) => Math.hypot(x - at.x, y - at.y) < coveyView.legend.radius(one)).map(([name]) => name);
        });
        return { count: names.length, under };
    })()""")
    check(hidden["count"] > 3 and not hidden["under"], f"of {hidden['count']} names these are under markers: {hidden['under']}")


def check_dots(browser):
    """The legend names the colours of dots."""
    browser.settle(lambda: browser.run("document.querySelector('[value=raw]').click(), 1"))
    check(browser.run("document.getElementById('dots').textContent") == "Dots", "the switch promises features")
    check(browser.run("document.getElementById('legend').textContent") == "a clustera point", "dots have no legend")
    browser.settle(lambda: browser.run("document.querySelector('[value=clusters]').click(), 1"))


def check_leaves(browser):
    """A point of the list is marked while the pointer is on it; a search finds it, and the map moves to it."""
    open_panel(browser)
    mark = "coveyView.map.getSource('covey-mark').serialize().data"
    browser.run("document.querySelector('.leaves li').dispatchEvent(new MouseEvent('mouseenter')), 1")
    check(browser.run(f"{mark}.type") == "Feature", "a point of the list is not marked")
    browser.run("document.querySelector('.leaves li').dispatchEvent(new MouseEvent('mouseleave')), 1")
    check(browser.run(f"{mark}.features.length") == 0, "the mark stays")
    name = browser.run("document.querySelector('.leaves summary').textContent")
    search = "document.querySelector('.points input')"
    browser.run(f"{search}.value = {json.dumps(name)}, {search}.dispatchEvent(new Event('input')), 1")
    browser.wait_for("document.querySelector('.points .status').textContent.includes('\u201c')")
    found = browser.run("[...document.querySelectorAll('.leaves summary')].map((one) => one.textContent)")
    check(name in found, f"a search for {name} finds {found}")
    browser.run("document.querySelector('.leaves button').click(), 1")
    alone = """(({ geometry, properties }) => geometry && coveyView.featuresAt(coveyView.map.project(geometry.coordinates))
        .some((one) => one.properties.name === properties.name))(coveyView.map.getSource("covey-mark").serialize().data)"""
    browser.wait_for(alone)
    check(not browser.run("document.getElementById('panel').hidden"), "the list goes when one of its points is shown")


def check_downloads(browser):
    """CSV and GeoJSON of a cluster have all its points."""
    kept = """(() => {
        window.saved = [];
        URL.createObjectURL = (blob) => { saved.push(blob); return "#"; };
        HTMLAnchorElement.prototype.click = () => {};
    })()"""
    browser.run(kept)
    browser.run("document.querySelectorAll('.points .actions button').forEach((one) => 0), 1")
    total = browser.run("coveyView.panel.feature.properties.point_count")
    browser.run("document.querySelector('[aria-label$=\"CSV\"]').click(), 1")
    browser.wait_for("saved.length === 1")
    browser.run("document.querySelector('[aria-label$=\"GeoJSON\"]').click(), 1")
    browser.wait_for("saved.length === 2")
    lines = browser.run("saved[0].text().then((text) => text.trimEnd().split('\\r\\n').length)")
    check(lines == total + 1, f"{lines} lines of CSV for {total} points")
    count = browser.run("saved[1].text().then((text) => JSON.parse(text).features.length)")
    check(count == total, f"{count} features of GeoJSON for {total} points")


def check_choice(browser):
    """An attribute sets colours and sizes, and the legend explains them."""
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 2, center: [10, 20] }), 1"))
    browser.run("""(() => {
        const choice = document.getElementById("by-attribute");
        choice.value = "total";
        choice.onchange();
    })()""")
    color = browser.run("JSON.stringify(coveyView.map.getPaintProperty(coveyView.layers('clusters')[0], 'circle-color'))")
    check('"total"' in color, f"colours go by {color}")
    check("from" in browser.run("document.getElementById('legend').textContent"), "the legend says nothing")
    # No visible cluster has a number of that name.
    browser.run("coveyView.legend.choose('nothing'), 1")
    check("∞" not in browser.run("document.getElementById('legend').textContent"), "the legend is without end")
    browser.run("document.getElementById('by-attribute').value = '', coveyView.legend.choose(''), 1")


def check_place(browser, base):
    """The address of the page has the place of the map, and opens it again."""
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 3.5, center: [12, 34] }), 1"))
    browser.wait_for("location.hash.endsWith('@3.50/34.00000/12.00000')")
    address = browser.run("location.href")
    browser.open(address)
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")
    center = browser.run("coveyView.map.getCenter().toArray().concat(coveyView.map.getZoom())")
    check(all(abs(a - b) < 1e-3 for a, b in zip(center, [12, 34, 3.5])), f"the address leads to {center}")
    browser.settle(lambda: browser.run("document.querySelector('.fit').click(), 1"))
    check(browser.run("coveyView.map.getZoom()") < 2, "fitting does not show all")


def check_pages(browser):
    def shown():
        return browser.run("document.querySelector('.pages span').textContent")
    check(shown().startswith("1–10 of "), f"first page: {shown()}")
    browser.run("document.querySelector('.pages button:last-child').click()")
    check(browser.run("document.querySelector('.pages span').role") == "status", "the page of points is not announced")
    browser.run("document.querySelector('.pages button:last-child').focus(), 1")
    browser.wait_for("document.querySelector('.pages span').textContent.startsWith('11–')")
    check(browser.run("document.activeElement.ariaLabel") == "Next points", "the focus goes with the page of points")
    browser.run("document.querySelector('.leaves summary').click()")
    check(browser.run("document.querySelector('.leaves details[open] dd') !== null"),
          "a point shows nothing of itself")


def check_switches(browser):
    for value in ["heat", "raw", "clusters"]:
        browser.settle(lambda: browser.run(f"document.querySelector('[value={value}]').click(), 1"))
        visible = browser.run(
            f"coveyView.map.getLayoutProperty(coveyView.layers('{value}')[0], 'visibility') ?? 'visible'")
        check(visible == "visible", f"{value} is not shown")
    browser.run("document.querySelector('[name=borders]').click()")
    check(browser.run("coveyView.map.showTileBoundaries"), "no tile borders")
    browser.run("document.querySelector('[name=inspect]').click()")
    text = browser.wait_for(
        "document.querySelector('#inspector dl') && document.getElementById('inspector').textContent")
    check("features" in text and "bytes" in text, f"the inspector says {text}")


def check_keyboard(browser):
    browser.press("Escape")
    check(browser.run("document.getElementById('panel').hidden"), "Escape does not close the panel")
    browser.run("coveyView.map.getCanvas().focus()")
    browser.settle(lambda: browser.press("-", "Minus", "-"))
    browser.press("Enter", text="\r")
    browser.wait_for("!document.getElementById('panel').hidden")
    check(browser.run("document.activeElement.id") == "panel-title", "focus is not on the panel")
    words = browser.run("document.getElementById('announcer').textContent")
    check("in view" in words, f"the announcer says {words!r}")
    unnamed = browser.run("""[...document.querySelectorAll("button, input, select, a")]
        .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length))
        .map((one) => one.outerHTML).join()""")
    check(not unnamed, f"controls without a name: {unnamed}")


def check_module(browser):
    """covey.js adds the methods of a clustered GeoJSON source to a vector source."""
    answer = browser.run("""(async () => {
        const { extend, clusters } = await import("/covey.js");
        const map = coveyView.map, url = coveyView.url;
        map.addSource("more", { type: "vector", url });
        const source = extend(map, "more");
        const { cluster_id: id, point_count: count, expansion_zoom: zoom } =
            map.queryRenderedFeatures({ layers: coveyView.layers("clusters") })
                .sort((a, b) => b.properties.point_count - a.properties.point_count)[0].properties;
        const children = await source.getClusterChildren(id);
        const sum = children.reduce((n, one) => n + (one.properties.point_count ?? 1), 0);
        const leaves = await source.getClusterLeaves(id, 5, 1);
        const all = await source.getClusterLeaves(id, 6, 0);
        const refused = await clusters(url).hull(999999999).catch((error) => error.status);
        return {
            sum: sum === count, zoom: (await source.getClusterExpansionZoom(id)) === zoom,
            leaves: leaves.length === Math.min(5, count - 1) && leaves[0].id === all[1].id,
            hull: (await source.hull(id)).type === "Feature", box: (await source.bbox(id)).length === 4,
            refused: refused === 404,
        };
    })()""")
    check(all(answer.values()), f"covey.js: {answer}")
    # The error of the refused request is expected.
    browser.console[:] = [line for line in browser.console if "/clusters/999999999/" not in line]


def check_names_in_addresses(browser, base):
    for written, meant in [("%", "%"), ("%C3%A9", "é"), ("%FF", "%FF")]:
        browser.open("about:blank")
        browser.open(f"{base}/#{written}")
        browser.wait_for("document.getElementById('notice')?.textContent")
        words = browser.run("document.getElementById('notice').textContent")
        check(words.startswith(f"No archive has the id “{meant}”"), f"of #{written} the page says: {words}")


def take_pictures(browser, base):
    for scheme in ["light", "dark"] if LONG else ["light"]:
        browser.prefer(scheme)
        for width, height in [(390, 844), (820, 900), (1280, 800)]:
            browser.resize(width, height)
            open_map(browser, base)
            cluster = browser.run(LARGEST)
            browser.click(cluster["x"], cluster["y"])
            browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
            end = time.monotonic() + 10
            while browser.run(COVERED) and time.monotonic() < end:
                time.sleep(0.2)
            covered = browser.run(COVERED)
            check(not covered, f"at {width} pixels controls are covered: {covered}")
            time.sleep(0.3)
            browser.screenshot(f"{out}/map-{scheme}-{width}.png")
            wide = browser.run("document.documentElement.scrollWidth")
            check(wide <= width, f"at {width} pixels the page is {wide} wide")


def check_low(browser, base):
    """On a phone in landscape, and on a page twice as large, the selection can be read."""
    for width, height in [(844, 390), (683, 384)]:
        browser.resize(width, height)
        open_map(browser, base)
        open_panel(browser)
        browser.run("document.getElementById('panel-title').textContent = 'A very long name of a place '.repeat(40), 1")
        space = browser.run("document.getElementById('panel-body').clientHeight")
        check(space > 100, f"at {width} by {height} pixels {space} are left for what is selected")
        low = browser.run("document.getElementById('view').getBoundingClientRect().bottom - document.getElementById('layers').getBoundingClientRect().bottom")
        check(low >= 0, f"at {width} by {height} pixels the legend is cut off")


def check_notes(browser, base):
    """Notes over the map stay below the panel at its side."""
    browser.resize(1280, 800)
    open_map(browser, base)
    open_panel(browser)
    browser.wait_for("parseFloat(document.getElementById('view').style.getPropertyValue('--covered')) > 100")
    bottoms = browser.run("['ground', 'fresh'].map((id) => parseFloat(getComputedStyle(document.getElementById(id)).bottom))")
    check(max(bottoms) < 100, f"notes are {bottoms} pixels above the bottom")


BROKEN = """(() => {
    const usual = fetch;
    globalThis.fetch = async (...asked) => {
        const answer = await usual(...asked);
        if (!String(asked[0]).endsWith("/style.json")) return answer;
        const style = await answer.json();
        style.layers.at(-1).paint = { "line-width": "large" };
        return new Response(JSON.stringify(style));
    };
})()"""


def check_faults(browser, arguments):
    """The page reports an invalid style, and a server that ends and starts again."""
    words = "document.getElementById('notice').textContent"
    with Server(covey, *arguments) as server:
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=BROKEN)["identifier"]
        browser.open(f"{server.base}/#{name}")
        browser.wait_for(f"document.getElementById('notice') && {words}.startsWith('The style of the map has a fault')")
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        open_map(browser, server.base)
        port = server.port
    browser.run("coveyView.map.jumpTo({ zoom: 4, center: [10, 45] }), 1")
    browser.wait_for(f"{words}.startsWith('Tiles could not be loaded')")
    for _ in range(2):
        browser.run("coveyView.answers.containing(0, 0, 0).catch((error) => coveyView.panel.fail(error)), 1")
    time.sleep(0.5)
    check(browser.run("document.querySelectorAll('#panel-body .error').length") == 1, "faults pile up in the panel")
    drawn = "coveyView.map.queryRenderedFeatures({ layers: coveyView.layers('clusters', 'points') }).length"
    before = browser.run(drawn)
    with Server(covey, *arguments, port=port):
        browser.wait_for(f"!{words} && {drawn} > {before}")
    browser.console.clear()


# An empty map, for the time of the browser and MapLibre alone.
EMPTY_MAP = """new Promise((done) => {
    const start = performance.now();
    document.body.innerHTML = "<div id=bare style='position: fixed; inset: 0'></div>";
    const script = document.createElement("script");
    script.src = "/-/maplibre-gl.js";
    script.onload = () => new maplibregl.Map({ container: "bare", style: { version: 8, sources: {}, layers: [] } })
        .once("load", () => done(performance.now() - start));
    document.body.append(script);
})"""


def ready_times(base):
    """The times until a new browser has drawn the page, and an empty map, in milliseconds."""
    times = {"page": [], "empty": []}
    for _ in range(3):
        with Browser() as browser:
            browser.resize(1280, 800)
            browser.open(base)
            browser.wait_for("document.body?.dataset.ready")
            times["page"].append(browser.run("performance.getEntriesByName('covey-ready')[0].startTime"))
        with Browser() as browser:
            browser.resize(1280, 800)
            # A document of the server without a policy.
            browser.open(f"{base}/no-such-archive")
            times["empty"].append(browser.run(EMPTY_MAP))
    return {name: statistics.median(values) for name, values in times.items()}


with Server(covey, "--maplibre", maplibre, archive) as server, Browser() as browser:
    browser.prefer("light")
    browser.resize(1360, 820)
    open_map(browser, server.base)
    check_counts(browser)
    check_cluster(browser)
    check_double_click(browser)
    check_parent(browser)
    check_search(browser)
    check_names(browser)
    check_dots(browser)
    check_leaves(browser)
    check_downloads(browser)
    check_choice(browser)
    check_switches(browser)
    check_keyboard(browser)
    check_module(browser)
    check_place(browser, server.base)
    check_names_in_addresses(browser, server.base)
    take_pictures(browser, server.base)
    check_low(browser, server.base)
    check_notes(browser, server.base)
    check(not browser.console, "the console says: " + "; ".join(browser.console[:5]))
with Browser() as browser:
    browser.resize(1000, 700)
    check_faults(browser, ["--maplibre", maplibre, archive])
if LONG:
    with Server(covey, "--maplibre", maplibre, archive) as server:
        ready = ready_times(server.base)
    print(f"check_preview: the page is drawn after {ready['page']:.0f} ms, an empty map after {ready['empty']:.0f} ms")
print(f"check_preview: all is well; screenshots in {out}")
