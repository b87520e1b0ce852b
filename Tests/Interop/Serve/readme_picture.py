"""The picture in README.md: scripts/pictures readme.

    readme_picture.py COVEY ARCHIVE MAPLIBRE OUT.webp
"""

import base64
import sys
import time

from browser import Browser
from server import Server

covey, archive, maplibre, out = sys.argv[1:]
# A small file, because each clone of the repository has it.
LARGEST = 100_000

with Server(covey, "--maplibre", maplibre, archive) as server, Browser() as browser:
    browser.prefer("light")
    browser.resize(1000, 560)
    browser.open(f"{server.base}/#earthquakes@2.6/10/140")
    browser.wait_for("document.body?.dataset.map && Number(document.body.dataset.idle ?? 0) > 0")
    time.sleep(1)
    for quality in range(80, 10, -10):
        data = base64.b64decode(browser.call(
            "Page.captureScreenshot", format="webp", quality=quality)["data"])
        if len(data) <= LARGEST:
            break
    if browser.console:
        raise SystemExit("picture: the console says: " + "; ".join(browser.console[:5]))
with open(out, "wb") as file:
    file.write(data)
print(f"{out}: {len(data)} bytes")
