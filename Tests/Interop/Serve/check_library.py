"""covey.js on the pages of others: wrong arguments.

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
# Two archives whose layers have one name, with other values in other places.
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
    const said = (act) => { try { act(); return "no error"; } catch ({ name, message }) { return `${name}: ${message}`; } };
    const open = (style) => {
        const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [8, 47], zoom: 4 });
        map.on("error", () => {});
        return map;
    };
    return { covey: await import("/covey.js"), said, open, base };
}, 1"""

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


def check_values(answer):
    texts = ['kind has no value "rde": choose from "green", "red"', 'kind has no value "blue"', 'price has no value "<50": choose from "below 50", "50 to 100", "100 and more"']
    check(all(isinstance(one, str) and text in one for one, text in zip(answer, texts)), f"unknown values: {answer[:3]}")
    check(answer[3:] == [3, 3, 2, 2, 2, 1, 0, 2], f"known values: {answer[3:]}")


with tempfile.TemporaryDirectory() as folder:
    build(folder)
    for library in (maplibre, later):
        with Server(covey, f"{folder}/archives", "--maplibre", library) as server, Browser(draws=False) as browser:
            browser.open(f"{server.base}/")
            browser.wait_for("document.body?.dataset.ready")
            browser.run(START)
            for trial, judge in [(VALUES, check_values)]:
                judge(browser.run(trial.replace("BASE", json.dumps(server.base))))
        print(f"check_library: {os.path.basename(library)}: wrong values")
print("check_library: all is well")
