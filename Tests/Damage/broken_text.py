"""Broken text files: GeoJSON, records in lines, and tables. Each case has a name, bytes, and the expected result: REFUSED
with any options, or the number of records that --skip-invalid leaves out; without it the first of them stops the build."""

import json

REFUSED = None
# The program must not crash or lose a record; the rest depends on where the noise is.
ANYTHING = "anything"
COUNT = 50


class LeftOut(int):
    """A number of records that are left out even without --skip-invalid, because they have no location."""


def places():
    return [(round(i * 3.37 % 340 - 170, 4), round(i * 2.11 % 160 - 80, 4)) for i in range(COUNT)]


def feature(geometry, name="a"):
    return json.dumps({"type": "Feature", "properties": {"name": name}, "geometry": geometry})


def point(*coordinates):
    return {"type": "Point", "coordinates": list(coordinates)}


def features():
    return [feature(point(*place), f"n{index}") for index, place in enumerate(places())]


# Broken features, and how many records are lost by each.
FEATURES = {
    "a latitude beyond the pole": (feature(point(1, 91)), 1),
    "a longitude of two rounds": (feature(point(720, 1)), 1),
    "metres": (feature(point(691000, 5334000)), 1),
    "coordinates as texts": (feature(point("1", "2")), 1),
    "one coordinate": (feature(point(1)), 1),
    "coordinates in coordinates": (feature(point([1, 2])), 1),
    "coordinates that are null": (feature(point(None, 2)), 1),
    "a number past all numbers": (feature(point(1, 2)).replace("[1, 2]", "[1, 1e999]"), 1),
    "no number": (feature(point(1, 2)).replace("[1, 2]", "[NaN, 2]"), 1),
    "a geometry without coordinates": (feature({"type": "Point"}), 1),
    "an unknown geometry": (feature({"type": "Paint", "coordinates": [1, 2]}), 1),
    "a geometry that is a text": (feature("POINT (1 2)"), 1),
    "an unknown type": (feature(point(1, 2)).replace('"Feature"', '"Fixture"'), 1),
    "a number with a zero before": (feature(point(1, 2)).replace('"a"', "01"), 1),
    "a word that is none": (feature(point(1, 2)).replace('"a"', "nul"), 1),
    "a comma too many": (feature(point(1, 2)).replace("[1, 2]", "[1, 2,]"), 1),
    "a key without a value": (feature(point(1, 2)).replace('"name": "a"', '"name"'), 1),
    "deep brackets": (feature(point(1, 2)).replace('"a"', "[" * 5_000 + "]" * 5_000), 1),
    "bytes that are no UTF-8": (feature(point(1, 2), "\udcc3("), 1),
    "a zero byte": (feature(point(1, 2)).replace('"a"', '"\0"'), 1),
    "no geometry": (feature(None), LeftOut(1)),
    "an empty point": (feature(point()), LeftOut(1)),
}


def encoded(text):
    return text.encode("utf-8", "surrogateescape")


def raw(text):
    """The text as bytes, with one escape of JSON replaced by the byte that it stands for."""
    return encoded(text.replace("\\udcc3(", "\udcc3("))


def collection(rows):
    return '{"type":"FeatureCollection","features":[\n' + ",\n".join(rows) + "\n]}\n"


def geojson():
    sound = features()
    for name, (text, lost) in FEATURES.items():
        yield name, raw(collection(sound[:20] + [text] + sound[20:])), lost
    whole = collection(sound)
    yield "cut in a feature", encoded(whole[:len(whole) // 2]), 1
    yield "cut behind a feature", encoded(whole[:whole.index(sound[30]) - 2]), 1
    yield "no end", encoded(whole[:-3]), 1
    yield "a comma that is missing", encoded(whole.replace("}},\n", "}}\n", 1)), 1
    yield "a brace that is missing", encoded(whole.replace("}},\n", "},\n", 1)), 1
    yield "a system that nothing knows", encoded(whole.replace('"features"', '"crs":{"type":"name","properties":'
                                                               '{"name":"EPSG:99999"}},"features"')), REFUSED
    yield "a crs without a name", encoded(whole.replace('"features"', '"crs":{"type":"name"},"features"')), REFUSED
    yield "something behind the end", encoded(whole + "x"), 1


def lines():
    sound = features()
    for name, (text, lost) in FEATURES.items():
        yield name, raw("\n".join(sound[:20] + [text] + sound[20:]) + "\n"), lost
    whole = "\n".join(sound)
    yield "cut in the last line", encoded(whole[:-10]), 1
    yield "a line that was cut", encoded("\n".join(sound[:20] + [sound[20][:30]] + sound[21:])), 1
    yield "two halves of lines", encoded("\n".join(sound[:20] + [sound[20][:-9] + sound[21][-2:]] + sound[22:])), 1
    yield "an array as a line", encoded("\n".join(sound[:20] + ["[1, 2]"] + sound[20:])), 1
    yield "a number as a line", encoded("\n".join(sound[:20] + ["12"] + sound[20:])), 1


def row(*cells):
    return ",".join(map(str, cells))


# Broken rows, and how many records are lost by each.
ROWS = {
    "a latitude beyond the pole": ("1,91,a", 1),
    "a longitude of two rounds": ("720,1,a", 1),
    "metres": ("691000,5334000,a", 1),
    "no number": ("abc,2,a", 1),
    "NaN": ("nan,2,a", 1),
    "an infinite number": ("1,inf,a", 1),
    "a number past all numbers": ("1,1e999,a", 1),
    "a number with text behind": ("1,2x,a", 1),
    "two dots": ("1.2.3,2,a", 1),
    "cells too many": ("1,2,a,b", 1),
    "text behind a quote": ('1,2,"a"b', 1),
    "bytes that are no UTF-8": ("1,2,\udcc3(", 1),
    "half a coordinate": ("1,,a", LeftOut(1)),
    "half a degree sign": ("1°x,2,a", 1),
    "signs without a number": ("-,2,a", 1),
    "no coordinates": (",,a", LeftOut(1)),
    "a cell alone": ("1", LeftOut(1)),
}
GEOMETRIES = {
    "text of no geometry": ("POINT (1)", 1),
    "text that is cut": ("POINT (1 2", 1),
    "an unknown geometry": ("PAINT (1 2)", 1),
    "hexadecimal digits that are cut": ("0101000000000000000000F03F", 1),
    "hexadecimal digits of an unknown kind": ("01FF000000" + "0" * 32, 1),
    "an odd number of hexadecimal digits": ("0101000000000000000000F03F000000000000004", 1),
    "JSON that is cut": ('"{""type"":""Point"",""coordinates"":[1"', 1),
    "a system that nothing knows": ("SRID=99999;POINT(1 2)", 1),
    "an empty point": ("POINT EMPTY", LeftOut(1)),
}


def csv():
    sound = [row(x, y, f"né{index}") for index, (x, y) in enumerate(places())]
    for name, (text, lost) in ROWS.items():
        yield name, encoded("\n".join(["lon,lat,name", *sound[:20], text, *sound[20:]]) + "\n"), lost
    for name, (text, lost) in GEOMETRIES.items():
        rows = [f"POINT ({x} {y}),n" for x, y in places()]
        yield name, encoded("\n".join(["wkt,name", *rows[:20], text + ",a", *rows[20:]]) + "\n"), lost
    yield "a quote that is not closed", encoded("\n".join(["lon,lat,name", *sound[:20], '1,2,"a', *sound[20:]])), 1
    yield "no columns of coordinates", encoded("\n".join(["a,b,name", *sound])), REFUSED
    yield "two columns of a name", encoded("\n".join(["lon,lat,lon", *sound])), REFUSED
    yield "no header", encoded("\n".join(sound)), REFUSED
    yield "nothing", b"", REFUSED
    yield "cut in the last row", encoded("\n".join(["lon,lat,name", *sound[:-1], "1,2"])), 1
