"""Tests covey.js on the maps of other pages: several sources, changes of style, and wrong arguments.

    check_library.py COVEY MAPLIBRE LATER
"""

import json
import os
import random
import subprocess
import sys
import tempfile

from browser import Browser
from server import Server

covey, maplibre, later = sys.argv[1:]
random.seed(34)
# Two archives whose layers have the same name, with different values and places.
ARCHIVES = {"one": ["green", "red"], "other": ["blue", "orange", "red"]}


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_library: {message}")


def build(folder):
    os.mkdir(f"{folder}/archives")
    for name, kinds in ARCHIVES.items():
        with open(f"{folder}/places.geojsonl", "w") as file:
            for number in range(400):
                own = {"kind": kinds[number % len(kinds)], "price": number % 150, "date": f"202{number % 3}-0{1 + number % 9}-01"}
                if name == "other":
                    del own["date"]
                place = [round(random.gauss(8, 2), 5), round(random.gauss(47, 2), 5)]
                file.write(json.dumps({"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": place}}) + "\n")
        options = ["--facet", "kind", "--facet", "price:50,100", *(["--facet", "date:month"] if name == "one" else [])]
        subprocess.run([covey, "build", f"{folder}/places.geojsonl", "-o", f"{folder}/archives/{name}.mbtiles", "--quiet", "--max-zoom", "6", *options], check=True)


START = """globalThis.start = async (base) => {
    const container = document.createElement("div");
    container.style.cssText = "height: 400px; width: 400px";
    document.body.append(container);
    const errorOf = (act) => { try { act(); return "no error"; } catch ({ name, message }) { return `${name}: ${message}`; } };
    const open = (style) => {
        const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [8, 47], zoom: 4 });
        map.on("error", () => {});
        return map;
    };
    return { covey: await import("/covey.js"), errorOf, open, base };
}, 1"""

# A filter uses the facets of each source, and does not change other sources.
SOURCES = """(async () => {
    const { covey, errorOf, open, base } = await start(BASE);
    const requested = [], { fetch } = globalThis;
    globalThis.fetch = (url, ...rest) => (requested.push(String(url)), fetch(url, ...rest));
    const sources = { one: { url: `${base}/one` }, other: { url: `${base}/other` }, keyed: { url: `${base}/nope/v3.json?key=K` },
        scheme: { url: "mapbox://mapbox.streets" }, tiles: { tiles: [`${base}/one/{z}/{x}/{y}`], maxzoom: 6 } };
    const layers = Object.keys(sources).map((source) => ({ id: `in-${source}`, type: "circle", source, "source-layer": "places" }));
    for (const source of Object.values(sources)) source.type = "vector";
    const map = open({ version: 8, sources, layers });
    await covey.addFilters(map);
    globalThis.fetch = fetch;
    map.setCoveyFilter("places", { kind: ["red"] });
    const filters = layers.map(({ id }) => JSON.stringify(map.getFilter(id)) ?? null);
    const wanted = await Promise.all(["one", "other"].map(async (name) => {
        const { covey: own } = await covey.clusters(`${base}/${name}`).tileJSON();
        return JSON.stringify([">", covey.countExpression(own.layers[0].facets, { kind: ["red"] }), 0]);
    }));
    // If one source cannot answer a filter, no source is changed.
    const refused = errorOf(() => map.setCoveyFilter("places", { date: ["2020", "2020"] }));
    const kept = layers.every(({ id }, at) => (JSON.stringify(map.getFilter(id)) ?? null) === filters[at]);
    const alone = errorOf(() => map.setCoveyFilter("in-one", { date: ["2020", "2020"] }));
    map.setCoveyFilter("places", null);
    const answer = { filters, wanted, refused, kept, alone, plain: layers.every(({ id }) => map.getFilter(id) === undefined),
        keyed: requested.filter((url) => url.includes("nope")), scheme: requested.some((url) => url.includes("mapbox")),
        reasons: layers.slice(2).map(({ id }) => errorOf(() => map.setCoveyFilter(id, null))), nothing: errorOf(() => map.setCoveyFilter()) };
    map.remove();
    return answer;
})()"""

# If the style changes while a filter or donuts are set, the new style gets nothing of the old one.
STYLES = """(async () => {
    const { covey, errorOf, open, base } = await start(BASE);
    const light = await (await fetch(`${base}/one/style.json`)).json();
    const dark = structuredClone(light);
    for (const { type, paint } of dark.layers) for (const key of Object.keys(paint)) if (key.endsWith("-color") && type !== "background") paint[key] = "#123456";
    const map = open(light);
    await map.once("idle");
    await covey.addFilters(map);
    const layers = () => JSON.stringify(map.getStyle().layers);
    const plain = layers();
    const change = async (style, diff) => {
        const there = map.once("styledata");
        map.setStyle(style, { diff });
        await there;
        while (!map.getStyle()) await map.once("styledata");
    };
    const [points] = light.layers.filter(({ metadata }) => metadata?.["covey:role"] === "points");
    const found = {};
    const sets = { donuts: (is) => map.setCoveyDonuts("places", is ? "kind" : null), filter: (is) => map.setCoveyFilter("places", is ? { kind: ["red"] } : null),
        locale: (is) => map.setCoveyFilter("places", null, is ? { locale: "de" } : {}) };
    for (const [name, set] of Object.entries(sets)) for (const diff of [true, false]) {
        const made = found[`${name} ${diff ? "with" : "without"} diff`] = [];
        await change(light, false);
        set(true);
        await change(dark, diff);
        const before = layers();
        made.push(map.getCoveyFilter("places") === null);
        set(false);
        made.push(layers() === before && !before.includes("covey_") && !before.includes("donut"));
        // A new style that was made from the changed old one is without these changes at the end.
        await change(light, false);
        set(true);
        await change({ ...map.getStyle(), metadata: { other: diff } }, diff);
        set(false);
        made.push(layers() === plain);
        // Values that the page sets in the meantime are kept, and the others are removed.
        set(true);
        map.setPaintProperty(points.id, "circle-color", "#abcdef");
        set(false);
        made.push(map.getPaintProperty(points.id, "circle-color") === "#abcdef");
        map.setPaintProperty(points.id, "circle-color", points.paint["circle-color"]);
        made.push(layers() === plain);
    }
    const other = structuredClone(light);
    for (const source of Object.values(other.sources)) if (source.url) source.url = `${base}/other`;
    await change(other, true);
    const advice = errorOf(() => map.setCoveyFilter("places", { kind: ["blue"] }));
    await covey.addFilters(map);
    const after = errorOf(() => map.setCoveyFilter("places", { kind: ["blue"] }));
    map.remove();
    return { found, advice, after };
})()"""

VALUES = """(async () => {
    const { covey, base } = await start(BASE);
    const { covey: { layers: [{ facets }] } } = await covey.clusters(`${base}/one`).tileJSON();
    return [{ kind: ["rde"] }, { kind: ["red", "blue"] }, { price: ["<50"] }, { kind: ["red", "(none)", "(other)"] }, { price: ["below 50", "100 and more"] },
        { date: "2020" }, { date: ["2020"] }, { date: [2020] }, { date: ["2020-01"] }, { date: "2020-02" }, { date: ["2020-01", "2020-04", "2020-06"] }].map((selection) => {
        try {
            const test = covey.matcher(facets, selection);
            return ["2020-01", "2020-04", "2021-01"].filter((month) => test({ kind: "red", price: 7, "date:month": month })).length;
        } catch ({ message }) { return message; }
    });
})()"""

ENDS = """(async () => {
    const { covey, errorOf, open, base } = await start(BASE);
    const style = await (await fetch(`${base}/one/style.json`)).json();
    const map = open(style);
    await map.once("idle");
    const [source] = Object.keys(map.getStyle().sources);
    const count = (type) => (map._listeners?.[type]?.length ?? 0) + (map._oneTimeListeners?.[type]?.length ?? 0);
    const [removing, missing] = [count("remove"), count("styleimagemissing")];
    for (let times = 0; times < 3; times++) covey.follow(map, source, { url: `${base}/one` }).stop();
    const drawers = [covey.drawCounts(map), covey.drawCounts(map, { color: "#000" })];
    const grown = [count("remove") - removing, count("styleimagemissing") - missing];
    drawers[1].stop();
    grown.push(count("styleimagemissing") - missing);
    map.addSource("file", { type: "vector", url: `pmtiles://${base}/one.pmtiles` });
    const refused = [() => covey.refresh(map, "nope"), () => covey.follow(map, "file")].map(errorOf);
    const motion = covey.animate(map, { always: true });
    map.redraw();
    covey.spiderfy(map, [8, 47], []);
    motion.layers ??= {};
    motion.moves = [];
    motion.hide(true);
    map.setStyle(structuredClone(style), { diff: false });
    const fine = [errorOf(() => motion.update())];
    await map.once("style.load");
    motion.update();
    fine.push(map.getStyle().layers.some(({ paint }) => JSON.stringify(paint ?? "").includes("translate\\":[0,1")) ? "markers stay away" : "no error");
    motion.moves = [];
    covey.spiderfy(map, [8, 47], []);
    map.remove();
    fine.push(errorOf(() => motion.stop()), errorOf(() => covey.unspiderfy(map)));
    const lost = open(`${base}/nope/style.json`);
    const failed = await Promise.race([covey.addFilters(lost).then(() => "done", () => "refused"), new Promise((done) => setTimeout(() => done("waits"), 5000))]);
    lost.remove();
    return { grown, refused, fine, failed };
})()"""


def check_sources(answer):
    check(answer["filters"][:2] == answer["wanted"] and answer["wanted"][0] != answer["wanted"][1], f"the filters of two archives are {answer['filters'][:2]}")
    check(answer["filters"][2:] == [None] * 3, f"other sources are filtered: {answer['filters'][2:]}")
    check("no facet tells" in answer["refused"] and answer["kept"] and answer["alone"] == "no error" and answer["plain"], f"one by one: {answer}")
    check(len(answer["keyed"]) == 1 and answer["keyed"][0].endswith("/nope/v3.json?key=K") and not answer["scheme"], f"requested {answer['keyed']}")
    for reason, part in zip(answer["reasons"], ["404", "mapbox:", "no TileJSON"]):
        check(part in reason, f"of a source without facets it says {reason}")
    check('no layer "undefined"' in answer["nothing"], f"without arguments it says {answer['nothing']}")


def check_styles(answer):
    for name, made in answer["found"].items():
        check(all(made), f"{name}: {made}")
    check("call it again" in answer["advice"] and answer["after"] == "no error", f"of another archive's style: {answer}")


def check_values(answer):
    texts = ['kind has no value "rde": choose from "green", "red"', 'kind has no value "blue"', 'price has no value "<50": choose from "below 50", "50 to 100", "100 and more"']
    check(all(isinstance(one, str) and text in one for one, text in zip(answer, texts)), f"unknown values: {answer[:3]}")
    check(answer[3:] == [3, 3, 2, 2, 2, 1, 0, 2], f"known values: {answer[3:]}")


def check_ends(answer):
    check(answer["grown"] == [0, 1, 0], f"listeners stay: {answer['grown']}")
    check('no source "nope"' in answer["refused"][0] and "covey serve" in answer["refused"][1], f"refused: {answer['refused']}")
    check(answer["fine"] == ["no error"] * 4, f"after other styles and the end of a map: {answer['fine']}")
    check(answer["failed"] == "refused", f"a style that cannot be loaded: addFilters {answer['failed']}")


with tempfile.TemporaryDirectory() as folder:
    build(folder)
    for library in (maplibre, later):
        with Server(covey, f"{folder}/archives", "--maplibre", library) as server, Browser(draws=False) as browser:
            browser.open(f"{server.base}/")
            browser.wait_for("document.body?.dataset.ready")
            browser.run(START)
            for trial, judge in [(SOURCES, check_sources), (STYLES, check_styles), (VALUES, check_values), (ENDS, check_ends)]:
                judge(browser.run(trial.replace("BASE", json.dumps(server.base))))
        print(f"check_library: {os.path.basename(library)}: several sources, other styles, wrong values, ends")
print("check_library: all is well")
