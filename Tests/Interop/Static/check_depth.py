"""Draws archives in which tiles are left out (--variable-depth) in MapLibre GL JS, from all kinds of sources.

    check_depth.py COVEY OUT MAPLIBRE…

Each MAPLIBRE is a folder with a version of GL JS. A point is drawn where the middle of the map is red.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Serve"))

from browser import Browser
from hosts import Nginx
from server import Server

covey, out, *versions = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
MAX_ZOOM = 9
# With so few points, tiles end at zoom 6, and those of zooms 3 to 5 are left out.
DEEPEST, LEFT_OUT = 6, 5
ZOOMS = [5.2, 7, 9, 10.5]


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_depth: {message}")


def points():
    """Single points, far from one another and from the edges of tiles of low zooms."""
    rng = random.Random(4)
    return [(-170 + 20 * column + rng.uniform(3, 12), -60 + 20 * row + rng.uniform(3, 12))
            for column in range(17) for row in range(7)]


def build(work, places):
    with open(f"{work}/points.csv", "w") as file:
        file.write("lon,lat,name\n")
        for number, (lon, lat) in enumerate(places):
            file.write(f"{lon:.6f},{lat:.6f},n{number}\n")
    for name in ["thin.mbtiles", "thin.pmtiles", "thin/"]:
        subprocess.run([covey, "build", f"{work}/points.csv", "-o", f"{work}/{name}", "--quiet", "--max-zoom",
                        str(MAX_ZOOM), "--variable-depth"], check=True)


def drawn(browser, base, query, places):
    """How many of these places are red, and at how many zooms."""
    browser.open(f"{base}/depth.html?{query}")
    browser.wait_for("Number(document.body?.dataset.idle ?? 0) > 0", 60)
    found = 0
    for zoom in ZOOMS:
        for lon, lat in places:
            before = browser.run("Number(document.body.dataset.idle)")
            browser.run(f"map.jumpTo({{ center: [{lon}, {lat}], zoom: {zoom} }}), 1")
            browser.wait_for(f"Number(document.body.dataset.idle) > {before}")
            red, green, blue, _ = browser.run("middle()")
            found += red > 200 and green < 60 and blue < 60
    return found


def tile(zoom, lon, lat):
    """The column and row of a place's tile."""
    y = 0.5 - math.log(math.tan(math.pi / 4 + math.radians(lat) / 2)) / (2 * math.pi)
    return int((lon / 360 + 0.5) * 2 ** zoom), int(y * 2 ** zoom)


def left_out(folder, places):
    """Some of the places whose tile was left out."""
    missing = [place for place in places
               if not os.path.exists("{}/{}/{}/{}.pbf".format(folder, LEFT_OUT, *tile(LEFT_OUT, *place)))]
    check(len(missing) * 2 > len(places), f"only {len(missing)} of {len(places)} points have no tile of their own")
    check(os.path.exists("{}/{}/{}/{}.pbf".format(folder, DEEPEST, *tile(DEEPEST, *places[0]))), "the deepest tiles are left out")
    return missing[::len(missing) // 4][:4]


def check_tiles(browser, base, addresses, places):
    """covey.js returns the tiles that were left out, from every kind of source, and none below the deepest zoom."""
    browser.open(f"{base}/depth.html")
    browser.wait_for("globalThis.covey")
    tiles = [[zoom, *tile(zoom, *place)] for zoom in [LEFT_OUT, DEEPEST, DEEPEST + 1] for place in places]
    for address in addresses:
        found = browser.run(f"""(async () => {{
            const answers = covey.clusters("{address}");
            return Promise.all({json.dumps(tiles)}.map(async (tile) => (await answers.tile(...tile))?.length > 0));
        }})()""")
        check(found == [zoom <= DEEPEST for zoom, *_ in tiles], f"{address}: of {tiles} there are {found}")


os.makedirs(out, exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    everywhere = points()
    build(work, everywhere)
    chosen = left_out(f"{work}/thin", everywhere)
    wanted = len(chosen) * len(ZOOMS)
    shutil.copy(f"{here}/depth.html", work)
    with Server(covey, f"{work}/thin.mbtiles") as server, Nginx(work) as nginx, \
            Browser() as browser:
        with open(f"{work}/covey.global.js", "wb") as file:
            file.write(server.get("/covey.global.js")[2])
        browser.resize(600, 400)
        template = "{z}/{x}/{y}.pbf"
        # The sources that must draw all points, and those that are only reported: hosts that answer 404 themselves.
        sources = {
            "covey serve": f"url={server.base}/thin",
            "pmtiles:// of covey.js": f"url=pmtiles://{nginx.base}/thin.pmtiles",
            "covey:// of a folder": f"tiles=covey://{nginx.base}/thin/{template}&maxzoom={MAX_ZOOM}",
        }
        bare = {"a folder's files, 404": f"tiles={nginx.base}/thin/{template}&maxzoom={MAX_ZOOM}"}
        check_tiles(browser, nginx.base, [f"{server.base}/thin", f"{nginx.base}/thin.pmtiles", f"{nginx.base}/thin/"], chosen)
        for version in versions:
            for file in ["maplibre-gl.js", "maplibre-gl.css"]:
                shutil.copy(f"{version}/{file}", work)
            name = os.path.basename(os.path.abspath(version))
            for source, query in (sources | bare).items():
                found = drawn(browser, nginx.base, query, chosen)
                print(f"check_depth: {name}: {source}: {found} of {wanted} drawn")
                check(source in bare or found == wanted, f"{name}: {source} draws {found} of {wanted}: {browser.run('errors')[:2]}")
            browser.screenshot(f"{out}/depth-{name}.png")
print("check_depth: all is well")
