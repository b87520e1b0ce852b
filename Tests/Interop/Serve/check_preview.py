"""The preview page in a real browser: counts, clicks, paging, switches, keyboard, no errors.

    check_preview.py COVEY ARCHIVE POINTS MAPLIBRE OUT

ARCHIVE holds POINTS clustered points; screenshots go to OUT.
"""

import os
import sys
import time

from browser import Browser
from server import Server

covey, archive, points, maplibre, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
name = os.path.basename(archive).removesuffix(".mbtiles")
IDLE = "Number(document.body?.dataset.idle ?? 0)"

LARGEST = """(() => {
    const map = coveyView.map, box = map.getCanvas().getBoundingClientRect();
    const all = map.queryRenderedFeatures({ layers: coveyView.layers("clusters") });
    const best = all.sort((a, b) => b.properties.point_count - a.properties.point_count)
        .find((one) => {
            const at = map.project(one.geometry.coordinates);
            return at.x > 20 && at.y > 90 && at.x < box.width - 20 && at.y < box.height - 60;
        });
    const at = map.project(best.geometry.coordinates);
    return { x: at.x + box.x, y: at.y + box.y, ...best.properties };
})()"""

# Every feature once: copies of the world and of tiles' margins have the same id or place.
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


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_preview: {message}")


def settle(browser, action):
    """Does something that moves or redraws the map, and waits until it is still again."""
    before = browser.run(IDLE)
    action()
    browser.wait_for(f"{IDLE} > {before}")


def open_map(browser, base):
    browser.open(f"{base}/#{name}")
    browser.wait_for(f"document.body?.dataset.map && {IDLE} > 0")


def check_counts(browser):
    settle(browser, lambda: browser.run(
        "coveyView.map.jumpTo({ zoom: 0, center: [0, 0] }), coveyView.map.triggerRepaint(), 1"))
    found = browser.run(SUM)
    check(found == int(points), f"at zoom 0 the counts add up to {found}, not {points}")


def check_cluster(browser):
    cluster = browser.run(LARGEST)
    settle(browser, lambda: browser.click(cluster["x"], cluster["y"]))
    zoom = browser.run("coveyView.map.getZoom()")
    check(abs(zoom - cluster["expansion_zoom"]) < 0.01, f"a click led to zoom {zoom}")
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    title = browser.run("document.getElementById('panel-title').textContent")
    check(title.startswith(f"{cluster['point_count']:,} "), f"the panel says {title}")
    check(browser.run(
        f"!coveyView.map.queryRenderedFeatures({{ layers: coveyView.layers('clusters') }})"
        f".some((one) => one.properties.cluster_id === {cluster['cluster_id']})"),
        "the cluster is still there at its expansion zoom")
    browser.wait_for("coveyView.map.querySourceFeatures('covey-hull').length > 0")
    check_sight(browser)


def check_sight(browser):
    """What was clicked is not behind the panel or the switches, once the map is there."""
    browser.wait_for(
        "Math.abs(coveyView.map.getZoom() - coveyView.panel.feature.properties.expansion_zoom) < 0.01")
    place = browser.run("""(() => {
        const at = coveyView.map.project(coveyView.panel.feature.geometry.coordinates);
        const view = document.getElementById("view").getBoundingClientRect();
        const hit = document.elementFromPoint(at.x + view.x, at.y + view.y);
        return { x: at.x, y: at.y, hit: hit?.className ?? "nothing" };
    })()""")
    check("canvas" in place["hit"], f"the cluster's place is covered: {place}")


def check_pages(browser):
    def shown():
        return browser.run("document.querySelector('.pages span').textContent")
    check(shown().startswith("1–10 of "), f"first page: {shown()}")
    browser.run("document.querySelector('.pages button:last-child').click()")
    browser.wait_for("document.querySelector('.pages span').textContent.startsWith('11–')")
    browser.run("document.querySelector('.leaves summary').click()")
    check(browser.run("document.querySelector('.leaves details[open] dd') !== null"),
          "a point shows nothing of itself")


def check_switches(browser):
    for value in ["heat", "raw", "clusters"]:
        settle(browser, lambda: browser.run(f"document.querySelector('[value={value}]').click(), 1"))
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
    settle(browser, lambda: browser.press("-", "Minus", "-"))
    browser.press("Enter", text="\r")
    browser.wait_for("!document.getElementById('panel').hidden")
    check(browser.run("document.activeElement.id") == "panel-title", "focus is not on the panel")
    said = browser.run("document.getElementById('announcer').textContent")
    check("in view" in said, f"the announcer says {said!r}")
    unnamed = browser.run("""[...document.querySelectorAll("button, input, select, a")]
        .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length))
        .map((one) => one.outerHTML).join()""")
    check(not unnamed, f"controls without a name: {unnamed}")


def check_module(browser):
    """covey.js gives a vector source what a clustered GeoJSON source has."""
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
    # The refusal that was provoked is no fault of the page.
    browser.console[:] = [line for line in browser.console if "/clusters/999999999/" not in line]


def take_pictures(browser, base):
    for scheme in ["light", "dark"]:
        browser.prefer(scheme)
        for width, height in [(390, 780), (820, 900), (1360, 820)]:
            browser.resize(width, height)
            browser.open(f"{base}/")
            browser.wait_for("document.body?.dataset.ready")
            browser.screenshot(f"{out}/catalog-{scheme}-{width}.png")
            open_map(browser, base)
            cluster = browser.run(LARGEST)
            settle(browser, lambda: browser.click(cluster["x"], cluster["y"]))
            browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
            check_sight(browser)
            time.sleep(0.2)
            browser.screenshot(f"{out}/map-{scheme}-{width}.png")
            wide = browser.run("document.documentElement.scrollWidth")
            check(wide <= width, f"at {width} pixels the page is {wide} wide")


with Server(covey, "--maplibre", maplibre, archive) as server, Browser() as browser:
    browser.prefer("light")
    browser.resize(1360, 820)
    open_map(browser, server.base)
    check_counts(browser)
    check_cluster(browser)
    check_pages(browser)
    check_switches(browser)
    check_keyboard(browser)
    check_module(browser)
    take_pictures(browser, server.base)
    check(not browser.console, "the console says: " + "; ".join(browser.console[:5]))
print(f"check_preview: all is well; screenshots in {out}")
