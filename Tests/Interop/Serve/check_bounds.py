"""Draws points on the edges and corners of tiles, at the antimeridian and the poles in a browser. At every zoom the
features of the map must add up to all points.

    check_bounds.py COVEY MAPLIBRE [SETS]     12 sets by default; 200 for a long test
"""

import functools
import http.server
import json
import math
import multiprocessing.pool
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading

from browser import LONG, Browser
from server import Server

here = pathlib.Path(__file__).resolve().parent

DEEPEST = 5


def latitude(y):
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def near_edge(chance):
    """A coordinate on the edge of a tile of a random zoom, or a few units beside it."""
    tiles = 2 ** chance.randrange(DEEPEST + 1)
    offset = chance.choice([0, 0, 1e-9, 1e-6, 1e-5, 1e-4, 3e-4])
    return chance.randrange(tiles + 1) / tiles + offset * chance.uniform(-1, 1)


def points(number):
    """A set of points; latitudes beyond the poles are moved to them."""
    chance = random.Random(number)
    found = []
    for _ in range(chance.randrange(1, 6)):
        x, y = near_edge(chance) % 1, near_edge(chance)
        found.append((x * 360 - 180, latitude(min(max(y, 0), 1))))
    return found


def build(covey, folder, number):
    source = folder / f"{number}.csv"
    rows = [f"{lon!r},{lat!r},{n}" for n, (lon, lat) in enumerate(points(number))]
    source.write_text("\n".join(["lon,lat,n", *rows]))
    archive = folder / "archives" / f"set-{number}.mbtiles"
    subprocess.run(
        [covey, "build", source, "-o", archive, "--layer", "points", "--max-zoom", str(DEEPEST),
         "--quiet"], check=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def check(browser, server, numbers):
    """Shows sets of points, each in a map. Returns how many zooms of them lack a point."""
    sets = [{"url": f"{server.base}/set-{number}", "views": points(number), "deepest": DEEPEST}
            for number in numbers]
    lost = 0
    for number, a_set, counts in zip(numbers, sets, browser.run(f"check({json.dumps(sets)})")):
        for zoom, held in enumerate(counts):
            if held != len(a_set["views"]):
                lost += 1
                print(f"check_bounds: set {number}, zoom {zoom}: the map holds {held} of "
                      f"{len(a_set['views'])} points: {a_set['views']}", file=sys.stderr)
    return lost


def main(covey, maplibre, count="12"):
    covey, count, lost = os.path.realpath(covey), int(count), 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="covey-bounds-"))
    try:
        (folder / "archives").mkdir()
        with multiprocessing.pool.ThreadPool() as pool:
            pool.map(lambda number: build(covey, folder, number), range(count))
        for file in [pathlib.Path(maplibre) / "maplibre-gl.js", here / "bounds.html"]:
            shutil.copy(file, folder)
        site = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=site.serve_forever, daemon=True).start()
        with Server(covey, str(folder / "archives")) as server, Browser(draws=LONG) as browser:
            browser.resize(1040, 520)
            browser.open(f"http://127.0.0.1:{site.server_port}/bounds.html")
            maps = int(browser.wait_for("document.body?.dataset.maps", seconds=120))
            for first in range(0, count, maps):
                lost += check(browser, server, range(first, min(first + maps, count)))
    finally:
        shutil.rmtree(folder)
    if not lost:
        print(f"check_bounds: {count} sets, zooms 0 to {DEEPEST}: every point is held")
    return 1 if lost else 0


sys.exit(main(*sys.argv[1:]))
