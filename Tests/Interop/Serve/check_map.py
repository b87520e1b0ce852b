"""Tests maps in a browser: clusters that split and join frame by frame, stale parents, heat compared with the density
of the points, spread points compared with their true places, fans of points, contrast, and the size of the page.

    check_map.py COVEY MAPLIBRE OUT
"""

import base64
import gzip
import http.server
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from archive_clusters import ClusterIndex
from browser import Browser
from server import Server

covey, maplibre, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
random = numpy.random.default_rng(7)


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_map: {message}")


# Two Gaussian cities and villages; and places with several points each, one across the antimeridian.
CITY = numpy.vstack([
    random.normal([10, 5], 0.5, (20000, 2)), random.normal([13, 6], 0.25, (5000, 2)),
    random.uniform([5, 0], [18, 10], (500, 2))]).round(6)
SITES = [(2, 48, 2), (2.5, 48.2, 5), (3, 48.4, 12), (3.5, 47.5, 13), (4, 48.1, 60), (180, 10, 9), (22.5, 0, 7)]


def write(path, points):
    with open(path, "w") as file:
        for number, (longitude, latitude) in enumerate(points, 1):
            file.write(json.dumps({
                "type": "Feature", "id": number, "properties": {"name": f"Point {number}"},
                "geometry": {"type": "Point", "coordinates": [float(longitude), float(latitude)]}}) + "\n")


def build(folder):
    write(f"{folder}/city.geojsonl", CITY)
    spread = [(x, y) for x, y, count in SITES for _ in range(count)]
    write(f"{folder}/places.geojsonl", spread + [tuple(one) for one in random.uniform([0, 45], [8, 50], (200, 2)).round(6)])
    write(f"{folder}/edge.geojsonl", [(x - 360 if x > 180 else x, y) for x, y in random.uniform([176, 4], [184, 16], (300, 2)).round(6).tolist()])
    os.mkdir(f"{folder}/archives")
    for name, source, *options in [
            ("edge", "edge", "--max-zoom", "7"),
            ("city", "city", "--heat", "--max-zoom", "9"), ("bare", "city", "--max-zoom", "9"),
            ("apart", "places", "--spread", "--max-zoom", "10"), ("together", "places", "--max-zoom", "10"),
            ("kept", "places", "--keep-coincident", "--max-zoom", "10")]:
        archive = f"{folder}/archives/{name}.mbtiles"
        subprocess.run([covey, "build", f"{folder}/{source}.geojsonl", "-o", archive, "--quiet", *options], check=True)
        subprocess.run([covey, "verify", "--deep", archive], check=True, stdout=subprocess.DEVNULL)



def open_map(browser, address):
    browser.open(address)
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")


def press(browser, key):
    browser.press(key, code="Key" + key.upper(), text=key)


# --- Splitting and joining -------------------------------------------------------------------------

MOVES = """coveyView.motion.frame().map(({ marker, x, y, opacity }) =>
    ({ key: marker.key, count: marker.count, x, y, opacity }))"""
PLACES = """[...coveyView.motion.shown.markers.values()].map(({ key, count, properties, place }) => {
    const { x, y } = coveyView.map.project(place);
    return { key, count, id: properties.cluster_id ?? null, x, y };
})"""


def leaves_of(archive):
    """The first leaf and the end of the leaves of each cluster, by its id."""
    database = sqlite3.connect(archive)
    return {cluster.id: (cluster.first, cluster.end) for cluster in ClusterIndex.of(database).clusters}


def check_motion(browser, base, archive):
    leaves = leaves_of(archive)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    open_map(browser, f"{base}/#city@5.6/5/11")
    browser.wait_for("coveyView.motion.shown")
    browser.run("window.moment = 0, coveyView.motion.now = () => moment, coveyView.motion.duration = 1000, 1")
    for zoom, name in [(6.1, "split"), (5.6, "join")]:
        before = {one["key"]: one for one in browser.run(PLACES)}
        browser.run(f"moment = 0, coveyView.map.jumpTo({{ zoom: {zoom} }}), 1")
        browser.wait_for("coveyView.motion.moves && coveyView.motion.started !== Infinity")
        after = {one["key"]: one for one in browser.run(PLACES)}
        frames = []
        for moment in range(0, 1000, 100):
            frames.append({one["key"]: one for one in browser.run(f"moment = {moment}, {MOVES}")})
            if moment in (200, 500):
                browser.screenshot(f"{out}/motion-{name}-{moment:03}.png")
        browser.run("moment = 1001, coveyView.map.triggerRepaint(), 1")
        browser.wait_for("!coveyView.motion.moves")
        check_frames(name, before, after, frames, leaves)
        # The style's own markers are at their places again.
        browser.settle(lambda: browser.run("coveyView.map.triggerRepaint(), 1"))
        drawn = browser.run("coveyView.inOrder().length")
        check(drawn > 20, f"after the {name} {drawn} markers are drawn")
    browser.prefer("light")


def check_frames(name, before, after, frames, leaves):
    opening, last = frames[0], frames[-1]
    check(set(opening) == set(before) | set(after), f"{name}: the first frame has other markers")
    inner, outer = (after, before) if name == "split" else (before, after)
    moved, astray = 0, 0
    for key, one in inner.items():
        if one["id"] is None or key in outer:
            continue
        first, end = leaves[one["id"]]
        parents = [two for two in outer.values() if two["id"] is not None
                   and leaves[two["id"]][0] <= first and end <= leaves[two["id"]][1]]
        if not parents:
            continue
        parent, moved = outer[parents[0]["key"]], moved + 1
        # The place of the parent on the map at this zoom.
        at = opening.get(parent["key"], last.get(parent["key"]))
        away = [math.hypot(frame[key]["x"] - at["x"], frame[key]["y"] - at["y"]) for frame in frames if key in frame]
        # Tiles do not have the parents of clusters, so a few markers may move to another neighbour.
        if (away[0] if name == "split" else away[-1]) > (0.5 if name == "split" else max(away) / 2):
            astray += 1
            continue
        steps = away if name == "split" else away[::-1]
        check(all(b >= a - 0.5 for a, b in zip(steps, steps[1:])), f"{name}: {key} goes back and forth: {away}")
        shown = [frame[key]["opacity"] for frame in frames]
        ascending = shown if name == "split" else shown[::-1]
        check(all(b >= a for a, b in zip(ascending, ascending[1:])), f"{name}: {key} flickers: {shown}")
    check(moved > 10, f"{name}: only {moved} markers move")
    print(f"check_map: {name}: {moved} markers move, {astray} of them from or to a neighbour of their own cluster")
    check(astray <= moved / 10, f"{name}: {astray} of {moved} markers go astray")
    kept = [key for key in before if key in after]
    for key in kept:
        check(all(frame[key]["opacity"] == 1 for frame in frames), f"{name}: {key} stays and yet fades")


# The sums of points left and right of the middle: of moving markers, and of those that MapLibre draws.
SIDES = """(() => {
    const { map, motion } = coveyView, half = map.getCanvas().clientWidth / 2;
    const sides = (list) => [list.filter(({ x }) => x < half), list.filter(({ x }) => x >= half)].map((side) => side.reduce((sum, { count }) => sum + count, 0));
    const inView = ({ x, y }) => x > 0 && x < 2 * half && y > 0 && y < map.getCanvas().clientHeight;
    const drawn = coveyView.inOrder().map(({ properties, geometry }) => ({ ...coveyView.project(geometry.coordinates), count: properties.point_count ?? 1 }));
    motion.shown.markers = motion.markers();
    motion.hold();
    const moved = motion.frame().map(({ marker, x, y }) => ({ x, y, count: marker.count }));
    motion.settle();
    return { drawn: sides(drawn.filter(inView)), moved: sides(moved.filter(inView)) };
})()"""


def check_edges(browser, base):
    """Moving markers are on both sides of the antimeridian, in each copy of the world, and not on the far side of a globe."""
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    for longitude in (179.5, -179.5):
        open_map(browser, f"{base}/#edge@5.6/10/{longitude}")
        browser.wait_for("coveyView.motion.shown && coveyView.inOrder().length > 20")
        sides = browser.run(SIDES)
        check(min(sides["drawn"]) > 50 and sides["moved"] == sides["drawn"], f"at {longitude} degrees: {sides}")
    # Two copies of one place, and on a globe one of them or none.
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 0, center: [0, 10] }), 1"))
    sides = browser.run(SIDES)["moved"]
    check(sides == [300, 300], f"in two copies of the world {sides} points move")
    for longitude, count in [(180, 300), (0, 0)]:
        browser.settle(lambda: browser.run(f"coveyView.map.setProjection({{ type: 'globe' }}), coveyView.map.jumpTo({{ zoom: 1, center: [{longitude}, 0] }}), 1"))
        sides = browser.run(SIDES)["moved"]
        check(sum(sides) == count, f"seen from {longitude} degrees, {sides} points move on a globe, not {count}")
    browser.prefer("light")


# --- Stale parents ---------------------------------------------------------------------------------

# A map whose tiles beyond zoom 5 never load: is the largest cluster still drawn after it has split?
STALE = """(async (url, isPlain) => {
    const style = await (await fetch(url)).json();
    const [name] = Object.keys(style.sources);
    const { tiles: [tile], minzoom, maxzoom } = await (await fetch(style.sources[name].url)).json();
    maplibregl.addProtocol("slow", ({ url }) => {
        const at = url.slice("slow://".length);
        if (Number(at.split("/").at(-3)) > 5) return new Promise(() => {});
        return fetch(at).then(async (answer) => ({ data: answer.status === 204 ? new ArrayBuffer() : await answer.arrayBuffer() }));
    });
    style.sources[name] = { type: "vector", tiles: ["slow://" + tile], minzoom, maxzoom };
    if (isPlain) for (const { paint } of style.layers) for (const key of Object.keys(paint)) if (/^(circle|text).*opacity$/.test(key)) paint[key] = 1;
    const container = document.createElement("div");
    container.style.cssText = "height: 400px; width: 600px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [10, 5], zoom: 5.5,
                                     canvasContextAttributes: { preserveDrawingBuffer: true } });
    await map.once("idle");
    const [largest] = map.queryRenderedFeatures({ layers: style.layers.filter((one) => one.id.endsWith("-clusters")).map((one) => one.id) })
        .filter((one) => one.properties.expansion_zoom === 6).sort((a, b) => b.properties.point_count - a.properties.point_count);
    const color = async (zoom) => {
        map.jumpTo({ zoom, center: largest.geometry.coordinates });
        await new Promise((done) => setTimeout(done, 300));
        map.redraw();
        const gl = map.painter.context.gl;
        const pixel = new Uint8Array(4);
        // Beside the middle, where the count is.
        gl.readPixels(map.getCanvas().width / 2 - 10, map.getCanvas().height / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel].slice(0, 3).join();
    };
    const colors = { before: await color(5.6), late: await color(5.9), after: await color(6.05) };
    map.remove();
    container.remove();
    return colors;
})"""


def check_stale(browser, base):
    browser.open(f"{base}/")
    browser.wait_for("document.body?.dataset.ready")
    background = "238,241,244"
    colors = browser.run(f"{STALE}('/city/style.json', false)")
    check(colors["before"] != background and colors["late"] != background, f"a cluster is gone too early: {colors}")
    check(colors["after"] == background, f"a cluster is there after it has come apart: {colors}")
    # The test can fail: without the style's opacities the cluster is still drawn.
    plain = browser.run(f"{STALE}('/city/style.json', true)")
    check(plain["after"] != background, f"a cluster that lingers is not seen: {plain}")


# --- Heat ------------------------------------------------------------------------------------------

# The drawn density in grey: one byte per pixel.
HEAT = """(async (url, zoom, width, height) => {
    const style = await (await fetch(url)).json();
    style.layers = style.layers.filter((one) => one.type === "heatmap");
    for (const layer of style.layers) {
        layer.layout.visibility = "visible";
        layer.paint["heatmap-opacity"] = 1;
        layer.paint["heatmap-color"] = ["interpolate", ["linear"], ["heatmap-density"], 0, "#000", 1, "#fff"];
    }
    const container = document.createElement("div");
    container.style.cssText = `width: ${width}px; height: ${height}px`;
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [11, 5], zoom,
                                     canvasContextAttributes: { preserveDrawingBuffer: true } });
    await map.once("idle");
    map.redraw();
    const gl = map.painter.context.gl;
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const grey = new Uint8Array(width * height).map((_, index) => pixels[4 * index]);
    const radius = style.layers[0].paint["heatmap-radius"];
    map.remove();
    container.remove();
    let text = "";
    for (let at = 0; at < grey.length; at += 8192) text += String.fromCharCode(...grey.subarray(at, at + 8192));
    return { radius, grey: btoa(text) };
})"""


def density(zoom, radius, width, height):
    """The density of the cities: a normal curve for each point, in the view of the map."""
    world = 512 * 2 ** zoom
    def project(points):
        sine = numpy.sin(numpy.radians(points[:, 1]))
        return numpy.stack([points[:, 0] / 360 * world, -numpy.log((1 + sine) / (1 - sine)) / (4 * math.pi) * world])
    middle = project(numpy.array([[11.0, 5.0]]))[:, 0]
    x, y = project(CITY) - middle[:, None]
    margin = 200
    counts, _, _ = numpy.histogram2d(
        height / 2 + y, width / 2 + x, bins=[height + 2 * margin, width + 2 * margin],
        range=[[-margin, height + margin], [-margin, width + margin]])
    reach = numpy.arange(-int(radius), int(radius) + 1)
    curve = numpy.exp(-4.5 * (reach / radius) ** 2)
    for axis in (0, 1):
        counts = numpy.apply_along_axis(lambda row: numpy.convolve(row, curve, mode="same"), axis, counts)
    return counts[margin:-margin, margin:-margin]


def heat_error(browser, name, zoom, width=640, height=480):
    """The mean and the largest difference of the drawn density, relative to the greatest density."""
    drawn = browser.run(f"{HEAT}('/{name}/style.json', {zoom}, {width}, {height})")
    grey = numpy.frombuffer(base64.b64decode(drawn["grey"]), numpy.uint8).reshape(height, width)[::-1] / 255
    truth = density(zoom, drawn["radius"], width, height)
    truth /= truth.max()
    # The scale depends on the style: the best one is used, from pixels that are not saturated.
    free = grey < 0.99
    scale = (grey[free] * truth[free]).sum() / (truth[free] ** 2).sum()
    error = numpy.abs(numpy.minimum(truth * scale, 1) - grey) / scale
    hot = truth > 0.02
    return error[hot].mean(), numpy.corrcoef(truth[hot], grey[hot])[0, 1], scale


def check_heat(browser, base):
    browser.open(f"{base}/")
    browser.wait_for("document.body?.dataset.ready")
    errors = {}
    for zoom in [5, 6.5, 7]:
        errors[zoom], likeness, scale = heat_error(browser, "city", zoom)
        check(errors[zoom] < 0.07 and likeness > 0.95,
              f"at zoom {zoom} heat is {errors[zoom]:.3f} off, its correlation {likeness:.3f}")
        check(0.6 < scale < 1.6, f"at zoom {zoom} the densest place comes to {scale:.2f}")
    coarse, *_ = heat_error(browser, "bare", 6.5)
    check(coarse > 2 * errors[6.5], f"markers alone are as good: {coarse:.3f}")
    return errors, coarse


# --- Points at one place ---------------------------------------------------------------------------

def check_apart(browser, base):
    """Spread points have their true places, and their legs are drawn."""
    open_map(browser, f"{base}/#apart@10/0/0")
    for longitude, latitude, count in SITES:
        browser.settle(lambda: browser.run(f"coveyView.map.jumpTo({{ center: [{longitude - (0.0001 if longitude == 180 else 0)}, {latitude}] }}), 1"))
        drawn = browser.run("""coveyView.inOrder().filter((one) => one.properties.spread_of).map((one) => ({
            name: one.properties.name, place: JSON.parse(one.properties.spread_of),
            away: (({ x, y }, at) => Math.hypot(x - at.x, y - at.y))(coveyView.map.project(one.geometry.coordinates),
                coveyView.map.project([JSON.parse(one.properties.spread_of)[0], JSON.parse(one.properties.spread_of)[1]])) }))""")
        names = {one["name"] for one in drawn}
        check(len(names) == count, f"{len(names)} of {count} points are drawn apart at {longitude},{latitude}")
        for one in drawn:
            off = abs((one["place"][0] - longitude + 180) % 360 - 180)
            check(off < 2e-7 and abs(one["place"][1] - latitude) < 2e-7, f"{one} is not at its true place")
            if longitude < 180:
                check(18 < one["away"] < 201, f"{one['name']} is drawn {one['away']} pixels from its place")
        legs = browser.run("""coveyView.map.queryRenderedFeatures({ layers: coveyView.layers("legs") }).length""")
        check(legs >= count, f"{legs} legs for {count} points")
    browser.screenshot(f"{out}/apart.png")


def click_middle(browser):
    """Clicks the point or cluster that is nearest to the middle."""
    at = browser.run("""(() => {
        const box = coveyView.map.getCanvas().getBoundingClientRect();
        const at = coveyView.map.project(coveyView.inOrder()[0].geometry.coordinates);
        return { x: at.x + box.x, y: at.y + box.y };
    })()""")
    browser.click(at["x"], at["y"])
    browser.wait_for("!document.getElementById('panel').hidden")


FANNED = "coveyView.map.getLayer('covey-spider-points') && coveyView.map.querySourceFeatures('covey-spider-points').length"


def check_fan(browser, base):
    """The fan of points, for points at one place and for a marker with a count."""
    longitude, latitude, count = SITES[2]
    open_map(browser, f"{base}/#together@10/{latitude}/{longitude}")
    click_middle(browser)
    title = browser.run("document.querySelector('#panel-body h3').textContent")
    check(title == f"{count} points here", f"under the pointer: {title}")
    browser.wait_for(f"({FANNED}) >= {count}")
    check_fanned(browser, count)
    browser.screenshot(f"{out}/fan.png")
    open_map(browser, f"{base}/#kept@10/{latitude}/{longitude}")
    click_middle(browser)
    text = browser.run("document.querySelector('.actions .primary').textContent")
    check(text == "Fan out", f"the button says {text}")
    browser.run("document.querySelector('.actions .primary').click(), 1")
    browser.wait_for(f"({FANNED}) >= {count}")
    check_fanned(browser, count)
    # A point of the fan can be selected, and the fan stays.
    before = browser.run("document.getElementById('panel-title').textContent")
    spot = browser.run("""(() => {
        const box = coveyView.map.getCanvas().getBoundingClientRect();
        const [one] = coveyView.map.queryRenderedFeatures({ layers: ["covey-spider-points"] })
            .sort((a, b) => a.geometry.coordinates[0] - b.geometry.coordinates[0]);
        const at = coveyView.map.project(one.geometry.coordinates);
        return { x: at.x + box.x, y: at.y + box.y, name: one.properties.name };
    })()""")
    browser.click(spot["x"], spot["y"])
    browser.wait_for(f"document.getElementById('panel-title').textContent === {json.dumps(spot['name'])}")
    check(before != spot["name"] and browser.run(FANNED), "choosing a fanned out point folds the fan")
    # If there are many, the first are listed.
    longitude, latitude, count = SITES[4]
    open_map(browser, f"{base}/#together@10/{latitude}/{longitude}")
    click_middle(browser)
    title = browser.run("document.querySelector('#panel-body h3').textContent")
    check(title == f"The first 50 of {count} points here", f"under the pointer: {title}")
    browser.run("coveyView.tellFan(5000), 1")
    lead = browser.run("document.getElementById('panel-lead').textContent")
    check(lead == "The first 200 of 5,000 points are fanned out.", f"of a large fan the panel says: {lead}")


def check_antimeridian(browser, base):
    """Markers beyond 180 degrees have the place where they are drawn: the nearest marker is the first one."""
    for archive, longitude in [("together", 180.5), ("kept", -179.5)]:
        open_map(browser, f"{base}/#{archive}@8/10/{longitude}")
        found = browser.run("""coveyView.inOrder().map(({ geometry }) => coveyView.project(geometry.coordinates).x - coveyView.map.getCanvas().clientWidth / 2)""")
        check(found and abs(found[0]) < 550, f"at {longitude} degrees markers are {found} pixels from the middle")


def check_addresses(browser, base):
    """A notice disappears together with its subject, and the skip link does not move the map."""
    browser.open(f"{base}/#nope")
    browser.wait_for("document.getElementById('notice')?.textContent.startsWith('No archive')")
    browser.run("location.hash = 'together', 1")
    browser.wait_for("document.body.dataset.map === 'together'")
    check(not browser.run("document.getElementById('notice').textContent"), "the notice stays")
    browser.run("document.querySelector('.skip').click(), 1")
    time.sleep(0.5)
    check(browser.run("document.activeElement.id === 'main' && document.body.dataset.map === 'together'"), "the skip link closes the map")


def check_fanned(browser, count):
    places = browser.run("""[...new Map(coveyView.map.querySourceFeatures("covey-spider-points").map((one) => [one.properties.name,
        Object.values(coveyView.map.project(one.geometry.coordinates))])).values()]""")
    check(len(places) == count, f"{len(places)} of {count} points are fanned out")
    nearest = min(math.dist(a, b) for at, a in enumerate(places) for b in places[:at])
    check(nearest > 14, f"fanned out points are {nearest} pixels apart")


# --- Accessibility ---------------------------------------------------------------------------------

# The contrast of every text with its background (WCAG 2.2, 1.4.3).
CONTRAST = """(() => {
    const parse = (text) => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (one) => {
        for (; one; one = one.parentElement) {
            const color = parse(getComputedStyle(one).backgroundColor);
            if (color[3] > 0.95) return color;
        }
        return parse("white");
    };
    const found = [];
    for (const one of document.querySelectorAll("body *")) {
        const isText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const box = one.getBoundingClientRect();
        if (!(isText || one.matches("input, select")) || box.width < 2 || !one.checkVisibility() || one.matches(":disabled, option, .unseen, .skip")) continue;
        const [a, b] = [light(parse(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
        found.push([Math.round((a + 0.05) / (b + 0.05) * 100) / 100, `${one.tagName}.${one.className || one.id}: ${one.textContent.trim().slice(0, 30)}`]);
    }
    return found.sort((a, b) => a[0] - b[0]);
})()"""


def check_contrast(browser, base):
    least = {}
    for scheme in ["light", "dark"]:
        browser.prefer(scheme)
        open_map(browser, f"{base}/#city@5/5/11")
        browser.run("coveyView.map.getCanvas().focus(), 1")
        press(browser, "n")
        browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
        texts = browser.run(CONTRAST)
        check(len(texts) > 20, f"only {len(texts)} texts are found")
        check(texts[0][0] >= 4.5, f"{scheme}: too little contrast: {[one for one in texts if one[0] < 4.5]}")
        least[scheme] = texts[0][0]
    browser.prefer("light")
    return least


def check_keys(browser, base):
    """Without a mouse: from marker to marker, into one, and to all controls in a sensible order."""
    open_map(browser, f"{base}/#city@5/5/11")
    browser.run("coveyView.map.getCanvas().focus(), 1")
    titles = []
    for _ in range(3):
        press(browser, "n")
        browser.wait_for("!document.getElementById('panel').hidden")
        time.sleep(0.1)
        titles.append(browser.run("coveyView.panel.feature.properties.cluster_id ?? coveyView.panel.feature.id"))
    check(len(set(titles)) == 3, f"N goes to {titles}")
    press(browser, "p")
    check(browser.run("coveyView.panel.feature.properties.cluster_id ?? coveyView.panel.feature.id") == titles[1], "P does not go back")
    check(browser.run("document.activeElement.tagName") == "CANVAS", "the focus has left the map")
    # When the map becomes idle, it does not replace the announcement of the marker.
    browser.run("coveyView.map.fire('idle'), 1")
    words = browser.run("document.getElementById('announcer').textContent")
    check(" of " in words and "in view" in words, f"the announcer says {words!r}")
    browser.run("coveyView.map.getCanvas().focus(), 1")
    order = []
    for _ in range(40):
        browser.press("Tab")
        order.append(browser.run("(document.activeElement.ariaLabel || document.activeElement.name || document.activeElement.id || document.activeElement.textContent).trim()"))
        if order[-1] in order[:-1]:
            break
    for wanted in ["Zoom in", "Zoom out", "Fit to data", "draw", "Close", "Zoom to split", "Download all points as CSV"]:
        check(wanted in order, f"Tab does not come to {wanted}: {order}")


class Styles(http.server.BaseHTTPRequestHandler):
    """Another host's style: a coloured sheet."""

    def do_GET(self):
        body = json.dumps({"version": 8, "sources": {}, "layers": [
            {"id": "paper", "type": "background", "paint": {"background-color": "#ffeedd"}}]}).encode()
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def check_basemap(browser, archive):
    """A basemap of another host under the data, and its glyphs in the style."""
    styles = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Styles)
    threading.Thread(target=styles.serve_forever, daemon=True).start()
    glyphs = "https://glyphs.example/{fontstack}/{range}.pbf"
    with Server(covey, "--maplibre", maplibre, "--basemap", f"http://127.0.0.1:{styles.server_port}/style.json",
                "--glyphs", glyphs, "--font", "Noto Sans", archive) as server:
        style = json.loads(server.get("/city/style.json")[2])
        fonts = [one["layout"]["text-font"] for one in style["layers"] if "text-font" in one.get("layout", {})]
        check(style["glyphs"] == glyphs and fonts == [["Noto Sans"]], f"the style has {style['glyphs']} and {fonts}")
        # If there is one archive, its map opens at once, fitted to the data.
        open_map(browser, f"{server.base}/")
        layers = browser.run("coveyView.map.getStyle().layers.map((one) => one.id)")
        check(layers[0] == "paper" and "covey-land" not in layers, f"under the data: {layers[:3]}")
        counts = browser.run("coveyView.map.queryRenderedFeatures({ layers: coveyView.layers('counts') }).length")
        check(counts > 0, "over another basemap no counts are drawn")
        fitted = browser.run("coveyView.bounds.every((corner) => coveyView.map.getBounds().contains(corner))")
        check(fitted, "the map does not open on all data")
    styles.shutdown()


# Answers in place of the host of the basemap, so that no request leaves this machine.
STREETS = """(() => {
    const real = window.fetch;
    window.asked = [];
    window.fetch = (address, options) => {
        if (!String(address).startsWith("https://tiles.openfreemap.org/")) return real(address, options);
        asked.push(String(address));
        return ANSWER;
    };
})()"""
PAPER = """Promise.resolve(new Response(JSON.stringify({ version: 8, sources: {}, layers: [
    { id: "paper", type: "background", paint: { "background-color": "#ffeedd" } }] })))"""


def check_streets(browser, base):
    """Beyond the zooms of the land, the page offers streets, and one click loads them; not if they cannot be loaded."""
    shown = "!document.getElementById('ground').hidden"
    open_map(browser, f"{base}/#city@8.5/5/11")
    browser.run(STREETS.replace("ANSWER", PAPER))
    check(not browser.run(shown), "at zoom 8.5 there is no land")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 9.2 }), 1"))
    check(browser.run(shown), "at zoom 9.2 there is no note about the land")
    check(browser.run("asked.length") == 0, "the basemap is requested before the click")
    browser.run("document.getElementById('ground-streets').click(), 1")
    browser.wait_for("coveyView.map?.getLayer('paper') && document.body.dataset.map")
    check(browser.run("asked") == ["https://tiles.openfreemap.org/styles/positron"], "another style is requested")
    check(not browser.run(shown) and browser.run("document.getElementById('streets').checked"), "the offer stays")
    zoom = browser.run("coveyView.map.getZoom()")
    check(abs(zoom - 9.2) < 0.01, f"with streets the map is at zoom {zoom}")
    browser.run("document.getElementById('streets').click(), 1")
    browser.wait_for("coveyView.map?.getLayer('covey-land') && document.body.dataset.map")
    browser.run(STREETS.replace("ANSWER", "Promise.reject(new TypeError('no way'))"))
    browser.run("document.getElementById('streets').click(), 1")
    browser.wait_for("coveyView.map?.getLayer('covey-land') && document.body.dataset.map")
    words = browser.run("document.getElementById('notice').textContent")
    check("streets could not be loaded" in words, f"without a network the page says {words!r}")
    check(not browser.run("document.getElementById('streets').checked"), "the switch says that streets are there")


def check_pictures(browser, base):
    """Each archive of the list has its picture; the map that drew them is removed."""
    browser.open(f"{base}/")
    browser.wait_for("document.querySelectorAll('.card').length === 6 && document.querySelectorAll('.card img').length === 6")
    sizes = browser.run("""Promise.all([...document.querySelectorAll(".card img")].map(async (one) =>
        (await one.decode(), one.naturalWidth)))""")
    check(all(size >= 320 for size in sizes), f"pictures are {sizes} wide")
    browser.screenshot(f"{out}/catalog.png")
    browser.run("document.querySelector('.card a').click(), 1")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")
    check(browser.run("document.querySelectorAll('.unseen canvas').length") == 0, "the map of the pictures stays")


def check_size(server):
    """The compressed size of all that the page loads, except MapLibre GL JS."""
    names = ["icon.svg", "preview.css", "preview.js", "dom.js", "basemap.js", "layers.js", "leaves.js", "take.js", "map.js",
             "panel.js", "tile.js", "rooms.js", "pictures.js", "land.geojson", "borders.geojson", "names.geojson", "fonts/Open%20Sans%20Semibold/0-255.pbf",
             "fonts/Open%20Sans%20Semibold/256-511.pbf"]
    total = 0
    for path in ["/", "/covey.js"] + ["/-/" + name for name in names]:
        status, headers, body = server.get(path, Accept_Encoding="gzip")
        check(status == 200, f"{path}: {status}")
        total += len(body) if headers.get("content-encoding") == "gzip" else len(gzip.compress(body))
    check(total <= 450_000, f"the page takes {total} bytes")
    return total


with tempfile.TemporaryDirectory() as folder:
    build(folder)
    with Server(covey, "--maplibre", maplibre, f"{folder}/archives") as server, Browser() as browser:
        browser.prefer("light")
        browser.resize(1100, 760)
        check_motion(browser, server.base, f"{folder}/archives/city.mbtiles")
        check_edges(browser, server.base)
        check_stale(browser, server.base)
        errors, coarse = check_heat(browser, server.base)
        check_apart(browser, server.base)
        check_fan(browser, server.base)
        check_antimeridian(browser, server.base)
        check_addresses(browser, server.base)
        least = check_contrast(browser, server.base)
        check_keys(browser, server.base)
        check_streets(browser, server.base)
        check_pictures(browser, server.base)
        size = check_size(server)
        check_basemap(browser, f"{folder}/archives/city.mbtiles")
        # The browser warns about how MapLibre reads a globe's pixels.
        words = [one for one in browser.console if not one.startswith("performance warning")]
        check(not words, "the console says: " + "; ".join(words[:5]))
print("check_map: all is well; heat is off by " + ", ".join(f"{error:.1%} at zoom {zoom}" for zoom, error in errors.items())
      + f" ({coarse:.1%} from markers); least contrast {least}; the page takes {size:,} bytes")
