"""Tests counts by value. Another reader reads them from all tiles, MapLibre GL JS and Native evaluate them, and both are
compared with the points. Also the page's filter, and how fast it is.

    check_facets.py COVEY MAPLIBRE LATER OUT

Time zones are those of Python's zoneinfo. Run it with EGL_PLATFORM=surfaceless.
"""

import collections
import datetime
import gzip
import json
import math
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import zoneinfo

import mapbox_vector_tile

from browser import LONG, Browser
from server import Server

covey, maplibre, later, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
random.seed(32)
ZONE = zoneinfo.ZoneInfo("Europe/Zurich")
KINDS = ["cafe", "bar", "inn", "Älp", "e\u0301", "\"x\"", "7", ""]
# COVEY_TEST_LONG=1 tries more selections and zooms.
FACETS = ["kind", "stars", "price:10,20.5,100", "date:month", "kind*date:month", "kind=sum:price", "stars*kind"]


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_facets: {message}")


def points(count):
    towns = [(random.uniform(-170, 170), random.uniform(-60, 70)) for _ in range(30)]
    for number in range(count):
        x, y = random.choice(towns)
        own = {"kind": random.choices(KINDS, [30, 20, 10, 5, 5, 3, 2, 1])[0], "stars": random.randrange(1, 6),
               "price": random.choice([5, 10, 20.5, 31.25, 100, 250]),
               "date": (datetime.datetime(2022, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=random.randrange(2 * 365 * 86400))).strftime("%Y-%m-%dT%H:%M:%SZ")}
        # Some have no value. Moments just before midnight of a month's last day are in the next month in some zones.
        for name in list(own):
            if random.random() < 0.08:
                del own[name]
        if number % 50 == 0:
            own["date"] = random.choice(["2022-03-31T22:30:00Z", "2022-10-31T22:30:00Z", "2022-10-31T23:30:00Z", "2022-05-31T21:59:59Z", "soon"])
        yield {"type": "Feature", "id": number + 1, "properties": own,
               "geometry": {"type": "Point", "coordinates": [round(x + random.gauss(0, 1), 6), round(y + random.gauss(0, 1), 6)]}}


def month(own):
    """The label of a point by Python's time zones."""
    try:
        moment = datetime.datetime.strptime(own.get("date", ""), "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
    return moment.replace(tzinfo=datetime.timezone.utc).astimezone(ZONE).strftime("%Y-%m")


def bin_of(own):
    price = own.get("price")
    if price is None:
        return "(none)"
    return ["below 10", "10 to 20.5", "20.5 to 100", "100 and more"][sum(price >= one for one in (10, 20.5, 100))]


def value(own, attribute):
    return {"date:month": month(own), "price": bin_of(own)}.get(attribute, own.get(attribute)) if attribute in ("date:month", "price") else own.get(attribute)


def is_chosen(own, selection):
    for name, wanted in selection.items():
        own_value = value(own, {"date": "date:month"}.get(name, name))
        if name == "date":
            if own_value is None or not wanted[0] <= own_value[:len(wanted[0])] or not own_value[:len(wanted[1])] <= wanted[1]:
                return False
        elif ("(none)" if own_value is None else str(own_value)) not in wanted:
            return False
    return True


def selections(count):
    months = [f"{year}-{number:02}" for year in (2022, 2023) for number in range(1, 13)]
    for _ in range(count):
        kinds = random.sample(KINDS + ["(none)"], random.randrange(1, 6))
        stretch = sorted(random.sample(months, 2))
        yield random.choice([
            {"kind": kinds}, {"date": stretch}, {"kind": kinds, "date": stretch}, {"date": ["2022", "2022"]},
            {"stars": [str(one) for one in random.sample(range(1, 6), 3)]}, {"stars": ["1", "(none)"], "kind": kinds},
            {"price": random.sample(["below 10", "10 to 20.5", "20.5 to 100", "100 and more", "(none)"], 2)}])


# --- All tiles, with another reader ----------------------------------------------------------------

def choices(axis):
    return axis["values"] + (["(other)"] if axis.get("other") else []) + (["(none)"] if axis.get("none") else [])


def numbers(facet, text):
    """The counts in a cluster's text, separated by docs/facets.md."""
    size, last = 1, len(choices(facet["axes"][-1]))
    for axis in facet["axes"]:
        size *= len(choices(axis))
    width = len(text) // size
    check(width * size == len(text), f"{facet['name']}: a text of {len(text)} for {size} counts")
    all_numbers = [float(text[at * width:(at + 1) * width]) for at in range(size)]
    if facet.get("running"):
        all_numbers = [one - (all_numbers[at - 1] if at % last else 0) for at, one in enumerate(all_numbers)]
    return all_numbers


def features(path):
    """The features of each zoom, without those in margins."""
    found = {}
    for zoom, packed in sqlite3.connect(path).execute("SELECT zoom_level, tile_data FROM tiles"):
        for layer in mapbox_vector_tile.decode(gzip.decompress(packed)).values():
            for one in layer["features"]:
                x, y = one["geometry"]["coordinates"]
                if 0 <= x < layer["extent"] and 0 < y <= layer["extent"]:
                    found.setdefault(zoom, []).append(one["properties"])
    return found


def check_tiles(path, facets, all_points):
    by_zoom = features(path)
    check(len(by_zoom) > 6, f"only {len(by_zoom)} zooms")
    for facet in facets:
        axes = facet["axes"]
        expected = {}
        for own in all_points:
            key = tuple("(none)" if value(own, axis["attribute"]) is None else str(value(own, axis["attribute"])) for axis in axes)
            amount = own.get(facet["sum"], 0) if "sum" in facet else 1
            expected[key] = expected.get(key, 0) + amount
        names = [(one,) for one in choices(axes[0])] if len(axes) == 1 else [(a, b) for a in choices(axes[0]) for b in choices(axes[1])]
        for zoom, markers in by_zoom.items():
            sums = dict.fromkeys(names, 0)
            for own in markers:
                if "point_count" in own:
                    check(facet["attribute"] in own, f"a cluster of zoom {zoom} has no {facet['attribute']}")
                    counts = numbers(facet, own[facet["attribute"]])
                    check("sum" in facet or sum(counts) == own["point_count"], f"{facet['name']}: {sum(counts)} of {own['point_count']} points")
                    for name, number in zip(names, counts):
                        sums[name] += number
                else:
                    label = own.get("date:month")
                    check(label == month(own), f"a point of {own.get('date')} has the month {label}")
                    key = tuple("(none)" if value(own, axis["attribute"]) is None else str(value(own, axis["attribute"])) for axis in axes)
                    sums[key] += own.get(facet["sum"], 0) if "sum" in facet else 1
            wrong = {name: (sums[name], expected.get(name, 0)) for name in names if abs(sums[name] - expected.get(name, 0)) > 1e-6}
            check(not wrong and set(expected) <= set(names), f"{facet['name']} at zoom {zoom}: {list(wrong.items())[:5]}")
    print(f"check_facets: {len(facets)} facets add up at {len(by_zoom)} zooms")


# --- The expressions in MapLibre -------------------------------------------------------------------

EVALUATED = """(async (url, name, selections) => {
    const { addFilters, clusters, countExpression, matcher } = await import("/covey.js");
    const style = await (await fetch(`${url}/style.json`)).json();
    const { covey } = await clusters(url).tileJSON();
    const { facets } = covey.layers[0];
    const container = document.createElement("div");
    container.style.cssText = "height: 512px; width: 512px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [0, 0], zoom: 0, renderWorldCopies: false });
    await map.once("idle");
    await addFilters(map);
    const markers = style.layers.filter(({ metadata }) => ["clusters", "points"].includes(metadata?.["covey:role"])).map(({ id }) => id);
    const found = [];
    for (const zoom of [0, 3]) {
        map.jumpTo({ zoom });
        for (const selection of [null, ...selections]) {
            map.setCoveyFilter(name, selection);
            // The radius of a marker is the number, so that the test can read it from the map.
            if (selection) for (const id of markers) map.setPaintProperty(id, "circle-radius", countExpression(facets, selection));
            map.triggerRepaint();
            await map.once("idle");
            const seen = new Map();
            for (const one of map.querySourceFeatures(style.layers.find(({ id }) => id === markers[0]).source, { sourceLayer: name })) {
                seen.set(one.properties.cluster_id ?? `p${one.id}`, one);
            }
            const drawn = new Map(map.queryRenderedFeatures({ layers: markers }).map((one) => [one.properties.cluster_id ?? `p${one.id}`, one]));
            const radius = (one) => one.layer.paint["circle-radius"];
            found.push({ zoom, sum: selection ? [...drawn.values()].reduce((sum, one) => sum + radius(one), 0) : null,
                         least: selection ? Math.min(...[...drawn.values()].map(radius), Infinity) : null, drawn: drawn.size, all: seen.size });
        }
    }
    map.setCoveyFilter(name, null);
    const isPlain = JSON.stringify(map.getStyle().layers.map(({ filter, layout }) => [filter, layout])) === JSON.stringify(style.layers.map(({ filter, layout }) => [filter, layout]));
    map.remove();
    container.remove();
    return { found, isPlain };
})"""

TEXTS = """(async (numbers, locale) => {
    const { evaluate, shortCount } = await import("/covey.js");
    return numbers.map((number) => evaluate(shortCount(["get", "n"], locale), { properties: { n: number } }));
})"""


def check_browser(server, browser, library, all_points, count):
    chosen = list(selections(count))
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    answer = browser.run(f"{EVALUATED}('{server.base}/points', 'points', {json.dumps(chosen)})")
    for one, selection in zip(answer["found"], [None, *chosen] * 2):
        if selection is None or one["zoom"] > 0:
            check(one["least"] is None or one["least"] > 0, f"a marker of {one['least']} is drawn")
            continue
        expected = sum(is_chosen(own, selection) for own in all_points)
        check(one["sum"] == expected, f"{library}: {selection} makes {one['sum']} on the map, and {expected} of the points")
    check(answer["isPlain"], f"{library}: the style is another one after the filter")
    check(not browser.console, f"{library}: the console says {browser.console[:3]}")
    print(f"check_facets: {count} selections are the same on the map of {library}")


UNITS = """(async (selections) => {
    const { countExpression, evaluate, matcher } = await import("/covey.js");
    const facet = (unit, values) => ({ name: `t:${unit}`, attribute: `#t:${unit}`, running: true, axes: [{ attribute: `t:${unit}`, of: "t", unit, values }] });
    const facets = [facet("year", ["2020"]), facet("month", ["2020-01", "2020-02"]), facet("day", ["2020-01-03", "2020-01-10", "2020-02-20"])];
    const properties = { cluster: true, point_count: 3, "#t:year": "3", "#t:month": "23", "#t:day": "123" };
    const points = ["2020-01-03", "2020-01-10", "2020-02-20"].map((day) => ({ "t:year": "2020", "t:month": day.slice(0, 7), "t:day": day }));
    const orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0]];
    return selections.map((t) => orders.map((order) => {
        const some = order.map((at) => facets[at]);
        try {
            const chosen = matcher(some, { t });
            return [evaluate(countExpression(some, { t }), { properties, zoom: 0 }), points.filter((one) => chosen(one)).length];
        } catch (error) {
            return error.message;
        }
    }));
})"""


def check_units(server, browser):
    """A facet that is fine enough counts a period, in any order of facets."""
    days = ["2020-01-03", "2020-01-10", "2020-02-20"]
    chosen = [["2020-01-05", "2020-01-15"], ["2020-01-05", None], [None, "2020-01-05"], ["2020-01", "2020-01"], ["2020", None],
              ["2020-01", "2020"], [2020, 2020], ["2020-02-20T12", None], ["soon", None], ["2020-W01", None]]
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    for (start, end), answers in zip(chosen, browser.run(f"{UNITS}({json.dumps(chosen)})")):
        start, end = (value and str(value) for value in (start, end))
        count = sum((not start or day >= start) and (not end or day[:len(end)] <= end) for day in days)
        for at, answer in enumerate(answers):
            wanted = [count, count]
            if start in ("soon", "2020-W01", "2020-02-20T12"):
                wanted = {"soon": "soon is no time", "2020-W01": "--facet 't:week'", "2020-02-20T12": "--facet 't:hour'"}[start]
            elif at == 3 and 10 in (len(start or ""), len(end or "")):
                wanted = "--facet 't:day'"
            is_right = answer == wanted if isinstance(wanted, list) else isinstance(answer, str) and wanted in answer
            check(is_right, f"{start} to {end} is {answer} with facets in order {at}, not {wanted}")
    print(f"check_facets: {len(chosen)} periods are counted by facets that are fine enough")


EARLY = """(async (selections) => {
    const { countExpression, evaluate, matcher } = await import("/covey.js");
    const axis = { attribute: "t:day", of: "t", unit: "day", values: ["2020-01-10", "2020-02-20"], other: 2 };
    const facets = [{ name: "t:day", attribute: "#t:day", running: true, axes: [axis] }];
    const days = ["2020-01-03", "2020-01-03", "2020-01-07", "2020-01-10", "2020-02-20"];
    return selections.map((t) => {
        try {
            const chosen = matcher(facets, { t });
            return [evaluate(countExpression(facets, { t }), { properties: { point_count: 5, "#t:day": "125" }, zoom: 0 }),
                days.filter((day) => chosen({ "t:day": day })).length];
        } catch (error) {
            return error.message;
        }
    });
})"""


def check_early(server, browser):
    """If there are too many times, the earliest share one count, which only periods without a start can use."""
    wanted = [(["2020-01-10", "2020-02-20"], 2), (["2020-02", None], 1), ([None, "2020-01-31"], 4), ([None, "2020-01"], 4),
              ([None, None], 5), (["2020-01-10", "2020-02-20", "(other)"], 5), (["2020-01", "2020-01"], None),
              (["2020-01-05", None], None), ([None, "2020-01-05"], None), (["2019", "2020"], None),
              (["2020-01-03", "2020-01-10", "2020-02-20"], None)]
    answers = browser.run(f"{EARLY}({json.dumps([selection for selection, _ in wanted])})")
    for (selection, count), answer in zip(wanted, answers):
        is_right = isinstance(answer, str) and "each day of t from 2020-01-10 on" in answer if count is None else answer == [count, count]
        check(is_right, f"{selection} is {answer}, not {count}")
    print(f"check_facets: {len(wanted)} periods around the first time that is counted by itself")


def check_native(server, selections_count, all_points):
    """Native draws a marker green if its number is the expected one, else red."""
    style = json.loads(server.get("/points/style.json")[2])
    with Browser(draws=LONG) as browser:
        browser.open(f"{server.base}/")
        browser.wait_for("document.body?.dataset.ready")
        chosen = list(selections(selections_count))
        expressions = browser.run(f"""(async (all) => {{
            const {{ clusters, countExpression }} = await import("/covey.js");
            const {{ covey }} = await clusters("{server.base}/points").tileJSON();
            return all.map((one) => countExpression(covey.layers[0].facets, one));
        }})({json.dumps(chosen)})""")
    source = next(iter(style["sources"]))
    for selection, expression in zip(chosen, expressions):
        expected = counts_at_zoom_0(server.archive, selection, all_points)
        wanted = ["match", ["coalesce", ["get", "cluster_id"], ["id"]]]
        for key, number in expected.items():
            wanted += [key, number]
        wanted.append(-1)
        layer = {"id": "x", "type": "circle", "source": source, "source-layer": "points",
                 "paint": {"circle-radius": 6, "circle-color": ["case", ["==", expression, wanted], "#00ff00", "#ff0000"]}}
        check_green({**style, "layers": [layer]}, selection)
    print(f"check_facets: {selections_count} selections are the same in Native")


def check_green(style, subject):
    """Native draws some pixels of a style green, and none red."""
    from pymgl import Map
    with Map(json.dumps(style), 512, 512, 1, 0, 0, 0) as drawing:
        drawing.setCenter(0, 0)
        drawing.setZoom(0)
        pixels = drawing.renderBuffer()
    # Most pixels have one of few colours.
    colors = collections.Counter(zip(pixels[0::4], pixels[1::4], pixels[3::4]))
    green = sum(count for (r, g, a), count in colors.items() if g > 200 and r < 50 and a > 200)
    red = sum(count for (r, g, a), count in colors.items() if r > 200 and g < 50 and a > 200)
    check(green > 500 and red == 0, f"Native: {subject} has {green} pixels right and {red} wrong")


def counts_at_zoom_0(archive, selection, all_points):
    """The points of each marker of zoom 0 by its id, from `covey clusters`."""
    if not hasattr(counts_at_zoom_0, "members"):
        packed = sqlite3.connect(archive).execute("SELECT tile_data FROM tiles WHERE zoom_level = 0").fetchone()[0]
        layer = mapbox_vector_tile.decode(gzip.decompress(packed))["points"]
        members = {}
        for one in layer["features"]:
            own = one["properties"]
            if "cluster_id" in own:
                text = subprocess.run([covey, "clusters", archive, str(own["cluster_id"]), "leaves", "--limit", "100000", "--json"],
                                      check=True, capture_output=True, text=True).stdout
                members[own["cluster_id"]] = [leaf["id"] for leaf in json.loads(text)["features"]]
            else:
                members[one["id"]] = [one["id"]]
        counts_at_zoom_0.members = members
    return {key: sum(is_chosen(all_points[number - 1], selection) for number in ids) for key, ids in counts_at_zoom_0.members.items()}


# --- Styles without scripts ------------------------------------------------------------------------

PALETTE = ["#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e"]
GREY = "#5f6b76"

STYLED = """(async (style) => {
    const container = document.createElement("div");
    container.style.cssText = "height: 512px; width: 512px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style, fadeDuration: 0, center: [0, 0], zoom: 0, renderWorldCopies: false });
    await map.once("idle");
    const found = map.queryRenderedFeatures().filter(({ properties }) => properties["#kind"]).map((one) => ({
        counts: one.properties["#kind"], count: one.properties.point_count,
        color: one.layer.paint["circle-color"]?.toString(), text: one.layer.layout?.["text-field"]?.toString() }));
    map.remove();
    container.remove();
    return found;
})"""


def static_style(server, *options):
    words = [covey, "style", server.archive, "--url", f"{server.base}/points",
             "--glyphs", server.base + "/-/fonts/{fontstack}/{range}.pbf", *options]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def static_largest(server):
    style = static_style(server, "--color-by", "kind", "--letters", "de")
    counts = next(one for one in style["layers"] if one["id"].endswith("-counts"))
    # The clusters of these points are small.
    counts["layout"] = json.loads(json.dumps(counts["layout"]).replace('["get", "point_count"]', '["*", 97, ["get", "point_count"]]'))
    return style


def largest_color(counts, axis):
    width = len(counts) // (len(axis["values"]) + ("other" in axis) + bool(axis.get("none")))
    numbers = [int(counts[at:at + width]) for at in range(0, len(counts), width)]
    return [*PALETTE[:len(axis["values"])], *[GREY] * len(numbers)][numbers.index(max(numbers))]


def written(count):
    if count < 1000:
        return str(count)
    figures = f"{math.floor(count / 100 + 0.5) / 10:.1f}" if count < 9950 else str(math.floor(count / 1000 + 0.5))
    return figures.removesuffix(".0").replace(".", ",") + "\u00a0Tsd."


def check_languages(server, browser):
    """The texts of a style that `covey style` wrote, as covey.js evaluates its expression."""
    for language, number, text in [("ko", 9949, "9.9천"), ("ko", 9950, "1만"), ("es", 1_234_567_890, "1235\u00a0M"), ("es", 1234, "1,2\u00a0mil"),
                                   ("it", 12_345, "12.345"), ("ja", 99_999_999, "1億"), ("en", 999_499, "999K"), ("en", 999_500, "1M")]:
        style = static_style(server, "--letters", language)
        field = next(one for one in style["layers"] if one["id"].endswith("-counts"))["layout"]["text-field"]
        found = browser.run(f"import('/covey.js').then(({{ evaluate }}) => evaluate({json.dumps(field)}, {{ properties: {{ point_count: {number} }} }}))")
        check(found == text, f"{number} is {found!r} in a style with letters of {language}, not {text!r}")


def check_static(server, browser, library, axis):
    """The colour of the largest value and a language's abbreviations in a style of `covey style`."""
    browser.open(f"{server.base}/")
    browser.wait_for("document.body?.dataset.ready")
    found = browser.run(f"{STYLED}({json.dumps(static_largest(server))})")
    colors = [one for one in found if one.get("color")]
    texts = [one for one in found if one.get("text")]
    check(len(colors) > 10 and len(texts) > 10, f"{library}: {len(colors)} circles and {len(texts)} texts")
    for one in colors:
        wanted = tuple(int(largest_color(one["counts"], axis)[at:at + 2], 16) for at in (1, 3, 5))
        check(re.findall(r"\d+", one["color"])[:3] == [str(part) for part in wanted], f"{library}: {one} is not {wanted}")
    check(len({one["color"] for one in colors}) > 1, f"{library}: all clusters have one colour")
    for one in texts:
        check(one["text"] == written(97 * one["count"]), f"{library}: {one} is not {written(97 * one['count'])}")
    check(any("Tsd." in one["text"] for one in texts), f"{library}: no text is shortened")
    print(f"check_facets: {len(colors)} clusters have their largest value's colour, and German letters, on the map of {library}")


def check_static_native(server, axis):
    style = static_largest(server)
    clusters = next(one for one in style["layers"] if one["id"].endswith("-clusters"))
    packed = sqlite3.connect(server.archive).execute("SELECT tile_data FROM tiles WHERE zoom_level = 0").fetchone()[0]
    features = mapbox_vector_tile.decode(gzip.decompress(packed))["points"]["features"]
    wanted = ["match", ["get", "cluster_id"]]
    for one in features:
        if "cluster_id" in one["properties"]:
            wanted += [one["properties"]["cluster_id"], largest_color(one["properties"]["#kind"], axis)]
    clusters["paint"] = {"circle-radius": 6, "circle-color": ["case", ["==", clusters["paint"]["circle-color"], [*wanted, "none"]], "#00ff00", "#ff0000"]}
    check_green({**style, "layers": [clusters]}, "the largest value's colours")
    print("check_facets: the largest value's colours are the same in Native")


# --- The page --------------------------------------------------------------------------------------

SUM_OF_TEXTS = """(() => {
    const seen = new Map();
    for (const one of coveyView.map.queryRenderedFeatures({ layers: coveyView.layers("clusters", "points") })) {
        seen.set(one.properties.cluster_id ?? JSON.stringify(one.properties) + one.geometry.coordinates.map((n) => n.toFixed(3)), one);
    }
    return [...seen.values()].reduce((sum, one) => sum + (coveyView.filters.countIn(one) ?? 1), 0);
})()"""



def check_page(server, browser, all_points):
    browser.resize(1200, 800)
    browser.prefer("light")
    browser.open(f"{server.base}/#points@0/20/0?kind=cafe&kind=bar&date%3Amonth=2022-03&date%3Amonth=2022-10")
    browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0 && coveyView.filters.isActive")
    browser.settle(lambda: browser.run("coveyView.map.jumpTo({ zoom: 0 }), coveyView.map.triggerRepaint(), 1"))
    expected = sum(is_chosen(own, {"kind": ["cafe", "bar"], "date": ["2022-03", "2022-10"]}) for own in all_points)
    found = browser.run(SUM_OF_TEXTS)
    check(found == expected, f"the page shows {found} points of the address's filter, not {expected}")
    browser.screenshot(f"{out}/facets.png")
    # Boxes and handles.
    browser.settle(lambda: browser.run("document.querySelector('#filters input[value=bar]').click(), 1"))
    expected = sum(is_chosen(own, {"kind": ["cafe"], "date": ["2022-03", "2022-10"]}) for own in all_points)
    check(browser.run(SUM_OF_TEXTS) == expected, "a box that is not ticked counts")
    check("kind=cafe" in browser.run("location.hash") and "kind=bar" not in browser.run("location.hash"), "the address does not follow")
    # The points of a cluster, and their download.
    browser.run("""(() => { const [one] = coveyView.map.queryRenderedFeatures({ layers: coveyView.layers('clusters') })
        .sort((a, b) => b.properties.point_count - a.properties.point_count);
        window.shown = one; coveyView.pick([one]); return 1; })()""")
    browser.wait_for("document.querySelectorAll('.leaves li').length > 0")
    own = browser.run("({ id: shown.properties.cluster_id, chosen: coveyView.filters.countIn(shown) })")
    pages = browser.run("document.querySelector('.pages span').textContent").replace(",", "")
    check(pages.endswith(f"of {own['chosen']}"), f"the list is {pages}, and {own['chosen']} are chosen")
    title = browser.run("document.getElementById('panel-title').textContent + document.getElementById('panel-lead').textContent").replace(",", "")
    check(f"{own['chosen']} of " in title, f"the panel says {title}")
    browser.run("""(() => { const usual = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.saved = blob; return usual.call(URL, blob); };
        document.querySelector('[aria-label="Download all points as GeoJSON"]').click(); return 1; })()""")
    browser.wait_for("window.saved")
    saved = json.loads(browser.run("saved.text()"))["features"]
    check(len(saved) == own["chosen"] and all(one["properties"].get("kind") == "cafe" for one in saved), f"{len(saved)} points are saved")
    browser.screenshot(f"{out}/facets-panel.png")
    # Play moves the period, and choosing all values removes the filter.
    before = browser.run("coveyView.filters.selection['date:month'].join()")
    browser.run("document.querySelector('#filters legend button[aria-label^=Play]').click(), 1")
    browser.wait_for(f"coveyView.filters.selection['date:month']?.join() !== '{before}'")
    name = browser.run("document.querySelector('#filters legend button[aria-label*=through]').ariaLabel")
    check(name.startswith("Pause "), f"the button that pauses is named {name}")
    browser.run("coveyView.filters.controls.forEach((one) => one.stop?.()), coveyView.filters.choose('date:month', undefined), coveyView.filters.choose('kind', undefined), 1")
    time.sleep(1)
    browser.settle(lambda: browser.run("coveyView.map.triggerRepaint(), 1"))
    check("?" not in browser.run("location.hash"), "the address keeps a filter that is gone")
    check(not browser.console, f"the console says {browser.console[:3]}")
    print("check_facets: the page filters, plays, lists and saves what is chosen")


# Values with the names of members of every object, such as constructor.
LAYERS = {"la": ["red", "constructor"], "lb": ["sun", "toString", "red"]}

CALLS = """(async (url) => {
    const { addFilters, spiderfy } = await import("/covey.js");
    const container = document.createElement("div");
    container.style.cssText = "height: 512px; width: 512px";
    document.body.append(container);
    const map = new maplibregl.Map({ container, style: `${url}/style.json`, center: [8, 47], zoom: 4, fadeDuration: 0 });
    await addFilters(map);
    const layersNow = () => JSON.stringify(map.getStyle().layers), before = layersNow();
    const [one] = map.getStyle().layers.filter((layer) => layer["source-layer"] === "la" && layer.metadata?.["covey:role"] === "clusters");
    const tried = [];
    // In any order of calls, no filter is left at the end.
    for (const names of [["la", one.id], [one.id, "la"]]) {
        for (const name of names) map.setCoveyFilter(name, { kind: ["red"] });
        await addFilters(map);
        for (const name of names) map.setCoveyFilter(name, null);
        tried.push(layersNow() === before && map.getCoveyFilter("la") === null);
    }
    // A style that is loaded while a filter is set is not changed into the earlier one.
    map.setCoveyFilter("la", { kind: ["red"] });
    const other = JSON.parse(before);
    other.find(({ id }) => id === one.id).paint["circle-radius"] = 33;
    map.setStyle({ ...map.getStyle(), layers: other });
    await map.once("idle");
    await addFilters(map);
    for (const selection of [{ kind: ["red"] }, null]) map.setCoveyFilter("la", selection);
    tried.push(layersNow() === JSON.stringify(other));
    let message = "";
    try { spiderfy(map, [8, 47]); } catch (error) { message = `${error.name}: ${error.message}`; }
    map.remove();
    container.remove();
    return { tried, message };
})"""


def check_layers(folder, browser):
    """A filter over two layers: each is filtered by its own values, in lists and downloads too."""
    for layer, kinds in LAYERS.items():
        with open(f"{folder}/{layer}.geojsonl", "w") as file:
            for number in range(300):
                place = [round(random.gauss(8, 2), 5), round(random.gauss(47, 2), 5)]
                file.write(json.dumps({"type": "Feature", "properties": {"kind": kinds[number % len(kinds)]}, "geometry": {"type": "Point", "coordinates": place}}) + "\n")
    subprocess.run([covey, "build", *(f"{folder}/{layer}.geojsonl" for layer in LAYERS), "-o", f"{folder}/two.mbtiles", "--quiet", "--max-zoom", "7", "--facet", "kind"], check=True)
    with Server(covey, f"{folder}/two.mbtiles", "--maplibre", later) as server:
        browser.open(f"{server.base}/")
        browser.wait_for("document.body?.dataset.ready")
        answer = browser.run(f"{CALLS}('{server.base}/two')")
        check(answer["tried"] == [True] * 3 and answer["message"].startswith("TypeError: spiderfy(map, "), f"covey.js: {answer}")
        browser.open(f"{server.base}/#two@5/47/8?kind=constructor")
        browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0 && coveyView.filters.isActive")
        values = browser.run("[...document.querySelectorAll('#filters input')].map((one) => one.value)")
        check(sorted(values) == sorted({kind for kinds in LAYERS.values() for kind in kinds}), f"the filter offers {values}")
        browser.wait_for("coveyView.layers('clusters').length && coveyView.inOrder().some((one) => one.properties.point_count > 1)")
        shown = browser.run("""(async () => {
            const all = coveyView.inOrder().filter((one) => one.properties.point_count > 1);
            await coveyView.panel.show(all[0]);
            return { layers: [...new Set(all.map((one) => one.sourceLayer))], chosen: coveyView.filters.countIn(all[0]), pages: document.querySelector(".pages span").textContent };
        })()""")
        check(shown["layers"] == ["la"] and shown["chosen"] > 0 and shown["pages"].endswith(f" of {shown['chosen']}"), f"of one layer's value: {shown}")
        # A value that a layer does not have leaves no points of this layer.
        pages = browser.run("""(async () => {
            const { feature } = coveyView.panel;
            coveyView.filters.choose("kind", ["sun"]);
            await coveyView.panel.show(feature);
            return document.querySelector(".pages span").textContent;
        })()""")
        check(pages == "No points", f"an empty list is {pages}")
        # None and all, by the button, and by the address.
        browser.run("coveyView.filters.choose('kind', undefined), 1")
        browser.run("coveyView.filters.controls[0].show(undefined), document.querySelector('#filters legend button').click(), 1")
        check(browser.run("document.querySelector('#filters legend button').ariaLabel") == "All values of kind", "the button says nothing new")
        address = browser.run("location.href")
        browser.open(address)
        browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")
        check(browser.run("document.querySelectorAll('#filters input:checked').length + coveyView.inOrder().length") == 0, f"{address} shows something")
        browser.run("document.querySelector('#filters legend button').click(), 1")
        check("?" not in browser.run("location.hash"), "all values are still a filter")
        browser.settle(lambda: browser.run("coveyView.legend.choose('#kind'), 1"))
        colors = browser.run("[...document.querySelectorAll('#filters circle')].map((one) => one.getAttribute('fill'))")
        check(len(set(colors)) == len(values) and all(re.fullmatch("#[0-9a-f]{6}", one) for one in colors), f"the values have the colours {colors}")
        looks = browser.run("coveyView.map.coveyDonutImages.looks.map(({ colors }) => colors)")
        check(len(looks) == 2 and all(set(one) <= set(colors) for one in looks), f"donuts have the colours {looks}")
    check(not browser.console, f"the console says {browser.console[:3]}")
    print("check_facets: each layer is filtered by its own values")


# The times until all tiles are laid out again and until the frame is drawn, and the time of any frame.
SPEED = """(async (rounds) => {
    const { map, filters } = coveyView;
    const times = { laid: [], drawn: [], picture: [] };
    const now = () => performance.now();
    for (let round = 0; round < rounds; round++) {
        await new Promise((done) => setTimeout(done, 200));
        let start = now();
        map.setPaintProperty(coveyView.layers("clusters")[0], "circle-translate", [round / 100, 0]);
        await map.once("idle");
        times.picture.push(now() - start);
        let laid = 0;
        const look = () => { laid = now(); };
        map.on("data", look);
        start = now();
        filters.choose("date:year", [String(1970 + 5 * round), String(1980 + 5 * round)]);
        await map.once("idle");
        map.off("data", look);
        times.laid.push(laid - start);
        times.drawn.push(now() - start);
    }
    return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]]));
})"""


def check_speed(server, browser):
    worst = {"laid": 0, "drawn": 0, "picture": 0}
    for zoom in range(0, 9, 1 if LONG else 8):
        browser.open("about:blank")
        browser.open(f"{server.base}/#quakes@{zoom}/-5/150")
        browser.wait_for(f"document.body?.dataset.map && {Browser.IDLE} > 0")
        times = browser.run(f"{SPEED}({5 if LONG else 3})")
        for name, number in times.items():
            worst[name] = max(worst[name], number)
    print(f"check_facets: earthquakes: tiles laid out anew within {worst['laid']:.0f} ms, drawn within {worst['drawn']:.0f} ms; "
          f"a picture without any change of tiles takes up to {worst['picture']:.0f} ms here")
    # Machines of tests are slow and shared, so the limit depends on the time of a frame.
    check(worst["laid"] < max(1000, 2 * worst["picture"]), f"a filter takes {worst['laid']:.0f} ms")


def check_words(browser):
    for locale, number, text in [("undefined", 1234, "1.2k"), ("undefined", 999, "999"), ("undefined", 9960, "10k"), ("undefined", 999500, "1M"),
                                 ("'en'", 1234, "1.2K"), ("'en'", 15400, "15K"), ("'en'", 999600, "1M"), ("'de'", 1234567, "1,2\u00a0Mio."),
                                 ("'ja'", 12345, "1.2万"), ("'zh'", 123456789, "1.2亿"), ("'fr'", 1500, "1,5\u00a0k"), ("'en'", 12, "12"),
                                 ("'ko'", 1234, "1.2천"), ("'ko'", 9949, "9.9천"), ("'ko'", 9960, "1만"), ("'ko'", 123456, "12만"),
                                 ("'es'", 12345, "12\u00a0mil")]:
        found = browser.run(f"{TEXTS}([{number}], {locale})")[0]
        check(found == text, f"{number} is {found!r} in {locale}, not {text!r}")
    print("check_facets: numbers have the short notation of their locale")


with tempfile.TemporaryDirectory() as folder:
    made = list(points(4000))
    with open(f"{folder}/points.geojsonl", "w") as file:
        file.writelines(json.dumps(one) + "\n" for one in made)
    archive = f"{folder}/archives/points.mbtiles"
    os.mkdir(f"{folder}/archives")
    options = [word for facet in FACETS for word in ("--facet", facet)] + ["--facet-zone", "Europe/Zurich", "--max-zoom", "7", "--quiet"]
    subprocess.run([covey, "build", f"{folder}/points.geojsonl", "-o", archive, *options], check=True)
    subprocess.run([covey, "verify", "--deep", archive], check=True, stdout=subprocess.DEVNULL)
    cut = f"{folder}/cut.mbtiles"
    subprocess.run([covey, "build", f"{folder}/points.geojsonl", "-o", cut, "--cell-zoom", "2", *options], check=True)
    with open(archive, "rb") as one, open(cut, "rb") as other:
        check(one.read() == other.read(), "cut and whole builds differ")
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    subprocess.run([covey, "build", f"{root}/tilesets/data/earthquakes.csv", "-o", f"{folder}/archives/quakes.mbtiles", "--quiet",
                    "--cluster-radius", "60", "--max-zoom", "8", "--facet", "date:year", "--facet", "magnitude:6,6.5,7",
                    "--facet", "magnitude:6,6.5,7*date:year"], check=True)
    described = json.loads(sqlite3.connect(archive).execute("SELECT value FROM metadata WHERE name = 'covey'").fetchone()[0])
    properties = [one["properties"] for one in made]
    check_tiles(archive, described["layers"][0]["facets"], properties)
    kinds = next(one["axes"][0] for one in described["layers"][0]["facets"] if one["name"] == "kind")
    for library, number in [(maplibre, 40 if LONG else 8), (later, 40 if LONG else 8)]:
        with Server(covey, f"{folder}/archives", "--maplibre", library) as server, Browser(draws=LONG) as browser:
            check_browser(server, browser, os.path.basename(library), properties, number)
            check_units(server, browser)
            check_early(server, browser)
            server.archive = archive
            check_static(server, browser, os.path.basename(library), kinds)
            if library == maplibre:
                check_words(browser)
                check_languages(server, browser)
                check_page(server, browser, properties)
                check_speed(server, browser)
                check_layers(folder, browser)
    with Server(covey, f"{folder}/archives") as server:
        server.archive = archive
        check_native(server, 40 if LONG else 8, properties)
        check_static_native(server, kinds)
print("check_facets: all is well")
