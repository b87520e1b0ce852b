"""Tests archives on static hosts in a browser: a folder, and a PMTiles pair.

    check_static.py COVEY POINTS.geojsonl COUNT MAPLIBRE OUT [MAPLIBRE…]

COUNT is how many points the file has; each further MAPLIBRE is a folder with another version of GL JS.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

for folder in ["..", "../Serve"]:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))

import check_blocks
import divide
from archive_clusters import ClusterIndex
from browser import LONG, Browser
from hosts import Nginx, Plain
from server import Server

covey, points, count, maplibre, out, *more = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
MOST_REQUESTS = 6

# Each feature once, without its copies in other worlds.
SUM = """((map, layers) => {
    const seen = new Map();
    for (const one of map.queryRenderedFeatures({ layers })) {
        const key = one.properties.cluster_id ?? JSON.stringify([one.id, one.properties]);
        seen.set(key, one.properties.point_count ?? 1);
    }
    return [...seen.values()].reduce((sum, number) => sum + number, 0);
})"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_static: {message}")


def build(work):
    """The points, and the same points moved into a few degrees, where they form one cluster."""
    with open(points) as file, open(f"{work}/dense.geojsonl", "w") as dense:
        for line in file:
            feature = json.loads(line)
            feature["geometry"]["coordinates"] = [one / 40 for one in feature["geometry"]["coordinates"]]
            dense.write(json.dumps(feature) + "\n")
    options = ["--quiet", "--aggregate", "total=sum:value", "--aggregate", "usual=mode:kind"]
    flat = ["--no-wrap", "--cluster-radius", "900"]
    for name, source, more in [("places", points, []), ("dense", f"{work}/dense.geojsonl", []), ("flat", points, flat)]:
        for ending in [".mbtiles", ".pmtiles", "/"]:
            subprocess.run([covey, "build", source, "-o", f"{work}/{name}{ending}", *options, *more], check=True)


def check_answers(work, server, static):
    """covey.js gives the same answers from all three sources. Runs if Node is installed."""
    node = shutil.which("node")
    if not node:
        print("check_static: no node here, so answers are compared in the browser only")
        return
    script = f"{work}/covey.mjs"
    with open(script, "wb") as file:
        file.write(server.get("/covey.js")[2])
    subprocess.run(
        [node, f"{here}/compare_sources.mjs", os.environ.get("COVEY_CLUSTERS", "100"), script,
         f"served={server.base}/places", f"pmtiles={static.base}/places.pmtiles",
         f"pmtiles-url=pmtiles://{static.base}/places.pmtiles", f"folder={static.base}/places/"], check=True)
    subprocess.run(
        [node, f"{here}/compare_sources.mjs", "40", script, f"served={server.base}/flat",
         f"pmtiles={static.base}/flat.pmtiles", f"folder={static.base}/flat/"], check=True)
    subprocess.run(
        [node, f"{here}/compare_arguments.mjs", script, f"served={server.base}/dense",
         f"pmtiles={static.base}/dense.pmtiles", f"folder={static.base}/dense/"], check=True)
    subprocess.run([node, f"{here}/check_addresses.mjs", script, f"{server.base}/places", f"{work}/places", f"{work}/dense"], check=True)


def build_heavy(work, name, text, *options):
    """The same points with some text each."""
    chance = random.Random(4)
    with open(points) as file, open(f"{work}/{name}.geojsonl", "w") as heavy:
        for line in file:
            feature = json.loads(line)
            feature["properties"] = {"text": text(chance)}
            heavy.write(json.dumps(feature) + "\n")
    for ending in ["mbtiles", "pmtiles"]:
        subprocess.run([covey, "build", f"{work}/{name}.geojsonl", "-o", f"{work}/{name}.{ending}", "--quiet", *options],
                       check=True)


def check_sizes(work, server, static):
    """Each answer takes few requests and few bytes, also for large points."""
    node = shutil.which("node")
    if not node:
        return
    build_heavy(work, "heavy", lambda chance: chance.randbytes(250).hex())
    database = sqlite3.connect(f"{work}/heavy.mbtiles")
    index = ClusterIndex.of(database)
    size = max(index.overview["counts"])
    # Large clusters, the largest clusters in one block, and some of the others.
    few = 1 if LONG else 4
    within = sorted((cluster for cluster in index.clusters if cluster.block is not None), key=lambda one: -one.count)
    some = random.Random(5).sample(within, min(len(within), 50 // few))
    ids = sorted({cluster.id for cluster in index.large[:40 // few] + within[:20 // few] + some})
    check(size < 1000 and index.large, f"blocks of {size} points at most, {len(index.large)} large clusters")
    with open(f"{work}/ids.json", "w") as file:
        json.dump(ids, file)
    subprocess.run([node, f"{here}/measure_answers.mjs", f"{work}/ids.json", f"{work}/covey.mjs",
                    f"{static.base}/heavy.pmtiles"], check=True)


def check_chapters(work, static):
    """An overview in chapters, made by the docs: the program finds it valid, and answers are the same."""
    build_heavy(work, "whole", lambda chance: chance.randbytes(20).hex() * 100, "--max-zoom", "8")
    for size in [2, 7]:
        shutil.copy(f"{work}/whole.mbtiles", f"{work}/chapters.mbtiles")
        divide.main(f"{work}/chapters.mbtiles", size)
        check_blocks.main(f"{work}/chapters.mbtiles")
        subprocess.run([covey, "verify", "--deep", f"{work}/chapters.mbtiles", "--quiet"], check=True)
        subprocess.run([covey, "convert", f"{work}/chapters.mbtiles", f"{work}/chapters-{size}.pmtiles", "--quiet"], check=True)
    if node := shutil.which("node"):
        subprocess.run([node, f"{here}/compare_sources.mjs", "60", f"{work}/covey.mjs", f"pmtiles={static.base}/whole.pmtiles",
                        f"pmtiles-2={static.base}/chapters-2.pmtiles", f"pmtiles-7={static.base}/chapters-7.pmtiles"], check=True)


def check_folder(browser, base, name):
    """The page of a folder: it has all points, and a cluster has leaves and a hull, and splits."""
    browser.console.clear()
    browser.open(f"{base}/places/")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0", 120)
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 0, center: [0, 0] }), 1"))
    found = browser.run(f"{SUM}(coveyView.map, coveyView.layers('clusters', 'points'))")
    check(found == int(count), f"{name}: the folder's page draws {found} of {count} points")
    cluster = browser.run("""(() => {
        const [one] = coveyView.map.queryRenderedFeatures({ layers: coveyView.layers("clusters") })
            .sort((a, b) => b.properties.point_count - a.properties.point_count);
        coveyView.pick([one]);
        return one.properties;
    })()""")
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    browser.wait_for("coveyView.map.querySourceFeatures('covey-hull').length > 0")
    browser.screenshot(f"{out}/folder-{name}.png")
    browser.settle(lambda: browser.run("document.querySelector('.actions .primary').click(), 1"))
    zoom = browser.run("coveyView.map.getZoom()")
    check(abs(zoom - cluster["expansion_zoom"]) < 0.01, f"{name}: the cluster's button led to zoom {zoom}")
    # No tile is requested that does not exist.
    for place in ["{ zoom: 5, center: [0, -40] }", "{ zoom: 9.5, center: [100, 10] }"]:
        browser.settle(lambda: browser.run(f"coveyView.map.jumpTo({place}), 1"))
    # The inspector reads the folder's files.
    browser.run("document.querySelector('[name=inspect]').click(), 1")
    browser.wait_for("document.querySelector('#inspector dl')")
    facts = browser.run("document.getElementById('inspector').textContent")
    check("empty" in facts or "unpacked" in facts, f"{name}: the inspector says {facts}")
    browser.run("coveyView.map.jumpTo({ zoom: 0, center: [0, 0] }), 1")
    browser.wait_for("/0.0.0.* features.*unpacked/.test(document.getElementById('inspector').textContent)")
    browser.run("document.querySelector('[name=inspect]').click(), 1")
    check(not browser.console, f"{name}: the console says {browser.console[:3]}")


def check_pmtiles(browser, host, folder, name):
    """Another page reads a PMTiles file with few range requests."""
    for file in ["maplibre-gl.js", "maplibre-gl.css"]:
        shutil.copy(f"{folder}/{file}", host.folder)
    browser.console.clear()
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    before = len(host.asked(".pmtiles"))
    browser.open(f"{host.base}/pmtiles.html?archive=places.pmtiles")
    browser.wait_for(f"{Browser.IDLE} > 0", 120)
    asked = host.asked(".pmtiles")[before:]
    check(all(one[0] == "206" for one in asked), f"{name}: whole files were requested: {asked[:3]}")
    check(len(asked) <= MOST_REQUESTS, f"{name}: the first map takes {len(asked)} requests")
    check(browser.run("errors.length") == 0, f"{name}: {browser.run('errors')[:3]}")
    layers = browser.run("map.getStyle().layers.map((one) => one.id).filter((id) => /-(clusters|points)$/.test(id))")
    layers = [one for one in layers if "-raw-" not in one]
    idle = browser.run(Browser.IDLE)
    browser.run("map.jumpTo({ zoom: 0, center: [0, 0] }), 1")
    browser.wait_for(f"{Browser.IDLE} > {idle}")
    found = browser.run(f"{SUM}(map, {json.dumps(layers)})")
    check(found == int(count), f"{name}: {found} of {count} points are drawn")
    drawn = browser.run("map.queryRenderedFeatures().some((one) => one.layer.type === 'symbol' && one.properties.point_count)")
    check(drawn, f"{name}: no counts are drawn")
    answers = len(host.asked(".clusters.pmtiles"))
    leaves = browser.run("""(async () => {
        const [one] = map.queryRenderedFeatures().filter((one) => one.properties.cluster_id)
            .sort((a, b) => b.properties.point_count - a.properties.point_count);
        const { features, numberMatched } = await answers.leaves(one, 10);
        return [features.length, numberMatched, one.properties.point_count];
    })()""")
    check(leaves == [10, leaves[2], leaves[2]], f"{name}: leaves are {leaves}")
    more = len(host.asked(".clusters.pmtiles")) - answers
    check(more <= 4, f"{name}: leaves took {more} requests")
    check_source(browser, leaves[1], name)
    browser.screenshot(f"{out}/pmtiles-{name}.png")
    check(not browser.console, f"{name}: the console says {browser.console[:3]}")
    return len(asked), more


def check_source(browser, total, name):
    """A map's source with the address `pmtiles://http://…` or a relative one gives the answers of the file."""
    found = browser.run("""(async () => {
        const [id] = Object.keys(map.getStyle().sources);
        const source = covey.extend(map, id);
        const [one] = map.queryRenderedFeatures().filter((one) => one.properties.cluster_id)
            .sort((a, b) => b.properties.point_count - a.properties.point_count);
        const leaves = await source.getClusterLeaves(one.id, 10, 0);
        const near = await covey.clusters("pmtiles://places.pmtiles").leaves(one);
        await covey.addFilters(map);
        return [leaves.length, near.numberMatched, typeof map.setCoveyFilter];
    })().catch((error) => [error.message])""")
    check(found == [10, total, "function"], f"{name}: the source says {found}")


def prepare(work, server):
    """The other files that the page of a PMTiles file needs."""
    shutil.copy(f"{here}/pmtiles.html", work)
    for name in ["covey.global.js"]:
        with open(f"{work}/{name}", "wb") as file:
            file.write(server.get(f"/{name}")[2])
    style = subprocess.run(
        [covey, "style", f"{work}/places.pmtiles", "--url", "pmtiles://places.pmtiles", "--glyphs",
         "GLYPHS/assets/fonts/{fontstack}/{range}.pbf"], check=True, capture_output=True, text=True).stdout
    return style


os.makedirs(out, exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    build(work)
    with Server(covey, "--maplibre", maplibre, f"{work}/places.mbtiles", f"{work}/dense.mbtiles", f"{work}/flat.mbtiles") as server, \
            Plain(work) as plain, Nginx(work) as nginx, Browser(draws=LONG) as browser:
        nginx.folder = work
        style = prepare(work, server)
        with open(f"{work}/style.json", "w") as file:
            # Both use the folder's glyphs.
            file.write(style.replace("GLYPHS", f"{nginx.base}/places"))
        check_answers(work, server, nginx)
        check_sizes(work, server, nginx)
        check_chapters(work, nginx)
        browser.prefer("light")
        browser.resize(1280, 800)
        check_folder(browser, plain.base, "plain")
        check_folder(browser, nginx.base, "nginx")
        figures = [check_pmtiles(browser, nginx, folder, os.path.basename(os.path.dirname(folder + "/")) )
                   for folder in [maplibre, *more]]
print(f"check_static: all is well; requests for a first map and for leaves: {figures}")
