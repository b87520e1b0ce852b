"""Draws the style in OpenLayers, with ol-mapbox-style and no script of ours: clusters must have the places of the tiles,
and their counts.

    check_openlayers.py COVEY ARCHIVE SCRIPT POINTS

SCRIPT is a module with both libraries (scripts/setup). It exports other components, so the test adds exports of the
functions that it needs.
"""

import functools
import http.server
import json
import os
import sys
import tempfile
import threading

from browser import Browser
from server import Server

covey, archive, script, points = sys.argv[1:]
name = os.path.basename(archive).removesuffix(".mbtiles")
NAMES = ["Map$1 as Map", "View", "VectorTileLayer$1 as Layer", "VectorTile as Source", "MVT", "createXYZ", "stylefunction"]

# The components around the two libraries import other modules. They are not used here, so stubs suffice.
STUBS = """const nothing = new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => "" : nothing,
    apply: () => nothing, construct: () => ({}) });
const React$1 = nothing, PropTypes = nothing, createPortal = nothing;
const [createContext, useContext, useRef, useState, useEffect, useCallback] = Array(6).fill(nothing);
"""

DRAW = """(async (base, name) => {
    const ol = await import("/libraries.js");
    const style = await (await fetch(`${base}/${name}/style.json`)).json();
    const { tiles: [url], minzoom, maxzoom } = await (await fetch(style.sources[name].url)).json();
    const tileGrid = ol.createXYZ({ tileSize: 512, minZoom: minzoom, maxZoom: maxzoom });
    const layer = new ol.Layer({ source: new ol.Source({ format: new ol.MVT(), url, tileGrid }) });
    const texts = [];
    for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
        const { fillText } = kind.prototype;
        kind.prototype.fillText = function (text, ...more) { texts.push(text); return fillText.call(this, text, ...more); };
    }
    ol.stylefunction(layer, style, name, tileGrid.getResolutions());
    const target = document.createElement("div");
    target.style.cssText = "width: 512px; height: 512px";
    document.body.append(target);
    const map = new ol.Map({ target, layers: [layer], controls: [],
                             view: new ol.View({ center: [0, 0], resolution: tileGrid.getResolution(0), multiWorld: true }) });
    await new Promise((done) => map.once("rendercomplete", done));
    const canvas = target.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colors = {};
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 255) continue;
        const color = [data[at], data[at + 1], data[at + 2]].join();
        colors[color] = (colors[color] ?? 0) + 1;
    }
    const features = layer.getSource().getFeaturesInExtent([-2e7, -2e7, 2e7, 2e7]).map((one) => one.getProperties());
    return { texts, colors, features: features.filter((one) => one.layer === "places") };
})"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_openlayers: {message}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


with tempfile.TemporaryDirectory() as folder, Server(covey, archive) as server, Browser() as browser:
    with open(script) as file:
        lines = [line for line in file if not line.startswith("import ")]
    body = "".join(lines)
    with open(f"{folder}/libraries.js", "w") as file:
        file.write(STUBS + body[:body.rindex("\nexport {")] + "\nexport { " + ", ".join(NAMES) + " };\n")
    with open(f"{folder}/index.html", "w") as file:
        file.write("<!doctype html><link rel=icon href=data:,><body>")
    pages = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    browser.resize(600, 600)
    browser.open(f"http://127.0.0.1:{pages.server_port}/index.html")
    browser.wait_for("Boolean(document.body)")
    drawn = browser.run(f"{DRAW}({json.dumps(server.base)}, {json.dumps(name)})")
    pages.shutdown()
    check(not browser.console, f"the console says: {browser.console[:3]}")

style_colors = {"43,122,120", "47,99,150", "74,74,156", "122,47,125", "163,84,26", "43,122,75", "143,45,86"}
inside = {one["cluster_id"]: one for one in drawn["features"] if "cluster_id" in one}
counts = {one["point_count_abbreviated"] for one in inside.values()}
total = sum(one["point_count"] for one in inside.values())
check(0 < total <= int(points), f"OpenLayers reads {total} of {points} points in clusters")
missing = counts - set(drawn["texts"])
check(not missing, f"OpenLayers does not write {sorted(missing)[:5]}; it writes {sorted(set(drawn['texts']))[:5]}")
covered = sum(number for color, number in drawn["colors"].items() if color in style_colors)
check(covered > 300, f"clusters cover {covered} pixels: {sorted(drawn['colors'].items(), key=lambda one: -one[1])[:5]}")
print(f"check_openlayers: all is well; {len(inside)} clusters of {total} points, {len(counts)} counts written")
