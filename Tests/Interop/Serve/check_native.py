"""Draws the style of `covey serve` in MapLibre Native: clusters must have their places and colours.

    check_native.py COVEY ARCHIVE

Run it with EGL_PLATFORM=surfaceless; pymgl draws without a screen.
"""

import json
import sys

from server import Server

covey, archive = sys.argv[1:]
name = archive.rsplit("/", 1)[-1].removesuffix(".mbtiles")

with Server(covey, archive) as server:
    style = json.loads(server.get(f"/{name}/style.json")[2])
    # Imported here, because the import opens the graphics driver.
    from pymgl import Map

    def picture(style):
        with Map(json.dumps(style), 512, 512, 1, 0, 0, 0) as drawing:
            drawing.setCenter(0, 0)
            drawing.setZoom(0)
            return drawing.renderBuffer()

    pixels = picture(style)
    mute = {**style, "layers": [one for one in style["layers"] if not one["id"].endswith("-counts")]}
    bare = picture(mute)

background = tuple(int(style["layers"][0]["paint"]["background-color"][i:i + 2], 16) for i in (1, 3, 5))
drawn = sum(tuple(pixels[i:i + 3]) != background for i in range(0, len(pixels), 4))
share = drawn / (len(pixels) // 4)
if not 0.01 < share < 0.9:
    raise SystemExit(f"check_native: {share:.1%} of the picture is drawn")
written = sum(tuple(pixels[i:i + 3]) != tuple(bare[i:i + 3]) for i in range(0, len(pixels), 4))
if written < 100:
    raise SystemExit(f"check_native: counts change {written} pixels")
print(f"check_native: all is well; clusters cover {share:.1%} of the world")
