"""Takes pictures of the page, to look at: scripts/pictures.

    pictures.py COVEY FOLDER MAPLIBRE OUT
"""

import os
import sys
import time

from browser import Browser
from server import Server

covey, folder, maplibre, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)


def open_map(browser, address):
    browser.open(address)
    browser.wait_for("document.body?.dataset.map && Number(document.body.dataset.idle ?? 0) > 0")


def sights(browser, base):
    """The views of the page, by name."""
    browser.open(f"{base}/")
    browser.wait_for("document.body?.dataset.ready")
    yield "catalog"
    open_map(browser, f"{base}/#earthquakes")
    yield "map"
    browser.run("coveyView.map.getCanvas().focus(), 1")
    browser.press("n", code="KeyN", text="n")
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    yield "panel"
    open_map(browser, f"{base}/#places")
    yield "names"
    browser.run("document.querySelector('[value=heat]').click(), 1")
    yield "heat"
    browser.run("document.querySelector('[value=clusters]').click(), 1")
    browser.run("document.getElementById('use').click(), 1")
    yield "dialog"
    open_map(browser, f"{base}/#airports@4.2/48/8")
    yield "kinds"


with Server(covey, "--maplibre", maplibre, folder) as server, Browser() as browser:
    for scheme in ["light", "dark"]:
        browser.prefer(scheme)
        for width, height in [(1280, 800), (390, 844)]:
            browser.resize(width, height)
            for name in sights(browser, server.base):
                time.sleep(0.8)
                browser.screenshot(f"{out}/{name}-{scheme}-{width}.png")
    if browser.console:
        raise SystemExit("pictures: the console says: " + "; ".join(browser.console[:5]))
print(f"pictures: {out}")
