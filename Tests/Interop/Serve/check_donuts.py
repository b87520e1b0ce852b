"""Tests donuts: the images' pixels have the shares of the points, also with a filter, and the number of images is bounded.

    check_donuts.py COVEY MAPLIBRE LATER OUT
"""

import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from browser import LONG, Browser
from server import Server

covey, maplibre, later, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
random.seed(33)
KINDS = ["bar", "cafe", "inn", "pub"]


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_donuts: {message}")


def points(count):
    for number in range(count):
        town = number % 12
        own = {"land": "one", "stars": random.randrange(1, 4), "date": f"20{random.randrange(20, 24)}-05-01"}
        if random.random() > 0.1:
            own["kind"] = random.choices(KINDS, [1 + town, 5, 12 - town, 2])[0]
        yield {"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": [
            -150 + 50 * (town % 6) + random.gauss(0, 1), -30 + 60 * (town // 6) + random.gauss(0, 1)]}}


# --- Colours of Okabe and Ito, in the simulation of Machado, Oliveira and Fernandes (2009) -----------

SIGHT = {
    "usual": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(color, sight):
    linear = [(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (int(color[at:at + 2], 16) / 255 for at in (1, 3, 5))]
    r, g, b = (min(1, max(0, sum(m * c for m, c in zip(row, linear)))) for row in SIGHT[sight])
    xyz = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089]
    x, y, z = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def check_colors(colors):
    least = {sight: min(sum((p - q) ** 2 for p, q in zip(lab(a, sight), lab(b, sight))) ** 0.5 for a, b in itertools.combinations(colors, 2)) for sight in SIGHT}
    check(all(one > 9 for one in least.values()), f"colours lie {least} apart")
    print("check_donuts: the nearest colours are apart by " + ", ".join(f"{one:.0f} ({sight})" for sight, one in least.items()))


# --- Pixels ----------------------------------------------------------------------------------------

READ = """(async (url, ratio, selection, hole) => {
    const { addFilters, countsOf, clusters, donutParts } = await import("/covey.js");
    const style = await (await fetch(`${url}/style.json`)).json();
    const { covey } = await clusters(url).tileJSON();
    const facets = covey.layers[0].facets;
    const container = document.createElement("div");
    container.style.cssText = "height: 512px; width: 512px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, pixelRatio: ratio, fadeDuration: 0, center: [0, 0], zoom: 0, renderWorldCopies: false });
    await map.once("idle");
    await addFilters(map);
    map.setCoveyDonuts("points", "kind", { hole });
    map.setCoveyFilter("points", selection);
    await map.once("idle");
    const parts = donutParts(facets.find(({ name }) => name === "kind").axes[0]);
    const ids = style.layers.filter(({ metadata }) => metadata?.["covey:role"] === "clusters").map(({ id }) => `${id}-donuts`);
    const found = map.queryRenderedFeatures({ layers: ids }).map(({ properties, layer }) => {
        const id = String(layer.layout["icon-image"].name ?? layer.layout["icon-image"]);
        const { data } = map.getImage(id);
        // Each pixel of the image counts for the nearest colour; pixels of edges count for none.
        const sums = parts.map(() => 0);
        for (let at = 0; at < data.data.length; at += 4) {
            const part = parts.findIndex(({ color }) => [1, 3, 5].every((from, k) => Math.abs(parseInt(color.slice(from, from + 2), 16) - data.data[at + k]) < 3));
            if (data.data[at + 3] > 250 && part >= 0) sums[part]++;
        }
        const opaque = data.data.filter((one, at) => at % 4 === 3 && one > 250).length;
        return { id, sums, opaque, width: data.width, counts: Object.fromEntries(facets.map((facet) => [facet.name, countsOf(facet, properties)])) };
    });
    map.setCoveyDonuts("points", null);
    map.setCoveyFilter("points", null);
    const isPlain = JSON.stringify(map.getStyle().layers) === JSON.stringify(style.layers);
    map.remove();
    container.remove();
    return { found, isPlain, parts, facets };
})"""


def check_shares(server, browser, library):
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    for ratio, selection, hole in [(1, None, 0.6), (2, None, 0.6), (2, None, 0), (2, {"kind": ["bar", "inn"]}, 0.6), (2, {"date": ["2021", "2022"]}, 0.6), (1, {"stars": ["1"]}, 0.6)]:
        answer = browser.run(f"{READ}('{server.base}/points', {ratio}, {json.dumps(selection)}, {hole})")
        check(len(answer["found"]) >= 6, f"{len(answer['found'])} donuts are drawn")
        check(answer["isPlain"], f"{library}: the style is another one after the donuts")
        worst, lengths = 0, [len(facet["axes"][0]["values"]) for facet in answer["facets"]]
        for one in answer["found"]:
            counts = one["counts"]["kind"]
            if selection and "stars" in selection:
                check(one["id"].endswith(":") and one["opaque"] > 100 and not any(one["sums"]), "shares that are not counted are not grey")
                continue
            if selection and "kind" in selection:
                counts = [n if part["text"] in selection["kind"] else 0 for n, part in zip(counts, answer["parts"])]
            if selection and "date" in selection:
                table = one["counts"]["kind*date:year"]
                counts = [sum(table[4 * row + 1:4 * row + 3]) for row in range(len(counts))]
            for share, pixels in zip(counts, one["sums"]):
                worst = max(worst, abs(share / sum(counts) - pixels / sum(one["sums"])))
        # The lines between parts cover more of a small image.
        check(worst < 1 / 24 + 0.03, f"{library}: a share is {worst:.3f} off at {ratio}, {selection}")
        print(f"check_donuts: {library}, ratio {ratio}, hole {hole}, {selection}: {len(answer['found'])} donuts of {answer['found'][0]['width']} pixels, shares within {worst:.3f}")


# The frames in a second while the map moves, and while the time plays; in a long test also without donuts.
FRAMES = """(async (long) => {
    const { map, filters } = coveyView;
    const frames = async (act) => {
        let count = 0;
        const look = () => count++;
        map.on("render", look);
        const start = performance.now();
        await act();
        map.off("render", look);
        return 1000 * count / (performance.now() - start);
    };
    const wait = (time) => new Promise((done) => setTimeout(done, time));
    const pan = () => (map.panBy([300, 0], { duration: long ? 2000 : 500, essential: true }), wait(long ? 2000 : 500));
    const play = async () => { filters.controls.find((one) => one.toggle).toggle(); await wait(long ? 3000 : 1000); filters.controls.forEach((one) => one.stop?.()); filters.choose("date:year", undefined); };
    const donuts = { pan: await frames(pan), play: await frames(play) };
    const { names, most } = map.coveyDonutImages, result = { donuts, images: names.size, most };
    if (!long) return result;
    coveyView.legend.choose("");
    await map.once("idle");
    return { ...result, plain: { pan: await frames(pan), play: await frames(play) } };
})"""

BOUND = """(async () => {
    const { map } = coveyView, images = map.coveyDonutImages;
    const layers = map.getStyle().layers.filter(({ metadata }) => metadata?.["covey:donut"]).map(({ id }) => id);
    const inSight = () => [...new Set(map.queryRenderedFeatures({ layers }).map(({ layer }) => String(layer.layout["icon-image"].name ?? layer.layout["icon-image"])))];
    // The images that a long movement of the map would need.
    const letters = "abcdefghijklmnopqrstuvwxy", made = [];
    for (let at = 0; at < 625; at++) made.push(`covey-donut:0:${letters[Math.floor(at / 25)]}${letters[at % 25]}yyy`);
    for (const id of made) images.make(id);
    const before = images.names.size;
    map.triggerRepaint();
    await map.once("idle");
    const drawn = inSight();
    return { before, kept: images.names.size, drawn: drawn.length, gone: drawn.filter((id) => !map.hasImage(id)).length,
             alone: made.filter((id) => map.hasImage(id) && !images.names.has(id)).length };
})()"""


def check_page(server, browser):
    browser.resize(1200, 800)
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        browser.open(f"{server.base}/#points@1.5/10/0")
        browser.wait_for("document.body?.dataset.map && Number(document.body.dataset.idle ?? 0) > 0")
        check(browser.run("document.querySelectorAll('#filters li svg circle').length") == 0, "there are colours before donuts are chosen")
        # A facet with one value has one colour.
        for name in ("land", "kind"):
            browser.run(f"(() => {{ const by = document.getElementById('by-attribute'); by.value = '#{name}'; by.onchange(); return 1; }})()")
        browser.run("new Promise((done) => setTimeout(done, 1500))")
        check(browser.run("document.querySelectorAll('#filters li svg circle').length") >= 5, "the filter has no colours")
        browser.screenshot(f"{out}/donuts-{scheme}.png")
    browser.run("document.querySelector('#filters input[value=cafe]').click(), 1")
    browser.run("new Promise((done) => setTimeout(done, 1500))")
    browser.screenshot(f"{out}/donuts-filtered.png")
    browser.run("coveyView.filters.choose('kind', undefined), 1")
    bound = browser.run(BOUND)
    check(bound["drawn"] > 3 and bound["gone"] == 0, f"images that are in sight go: {bound}")
    check(bound["before"] > 600 and bound["kept"] <= 128 + bound["drawn"] and bound["alone"] == 0, f"images stay that nothing shows: {bound}")
    print(f"check_donuts: of {bound['before']} images {bound['kept']} are kept")
    speed = browser.run(f"{FRAMES}({'true' if LONG else 'false'})")
    check(speed["images"] <= speed["most"], f"{speed['images']} images are kept")
    print(f"check_donuts: frames a second {speed}")
    check(not browser.console, f"the console says {browser.console[:3]}")


with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/points.geojsonl", "w") as file:
        file.writelines(json.dumps(one) + "\n" for one in points(6000))
    os.mkdir(f"{folder}/archives")
    subprocess.run([covey, "build", f"{folder}/points.geojsonl", "-o", f"{folder}/archives/points.mbtiles", "--quiet", "--max-zoom", "6",
                    "--facet", "kind", "--facet", "land", "--facet", "stars", "--facet", "date:year", "--facet", "kind*date:year"], check=True)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    with open(f"{root}/Sources/Use/CPageData/web/donuts.js") as file:
        check_colors(re.findall(r"#[0-9a-f]{6}", re.search(r"valueColors = (.*)", file.read())[1]))
    for library in (maplibre, later):
        with Server(covey, f"{folder}/archives", "--maplibre", library) as server, Browser(draws=LONG) as browser:
            check_shares(server, browser, os.path.basename(library))
            if library == later:
                check_page(server, browser)
print("check_donuts: all is well")
