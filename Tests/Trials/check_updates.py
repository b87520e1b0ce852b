#!/usr/bin/env python3
"""check_updates.py COVEY [CASES [SEED [KILLS]]]: an updated archive is equal to a new build.

Random sequences of points that are added, moved and removed, with random options, containers and difficult points;
updates that are killed at random moments; two updates at the same time.
"""
import contextlib
import csv
import filecmp
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

covey = sys.argv[1]
cases, seed, kills = [int(a) for a in sys.argv[2:5] + ["500", "1", "40"][len(sys.argv) - 2:]]
OPTIONS = [
    [], ["--cluster-radius", "20"], ["--algorithm", "greedy"], ["--cluster-min-points", "3"],
    ["--group-by", "kind"], ["--aggregate", "s=sum:n", "--aggregate", "k=mode:kind"],
    ["--weight", "n"], ["--spread"], ["--heat"], ["--algorithm", "grid", "--grid-fit"],
    ["--dedupe", "place"], ["--variable-depth"], ["--filter", '[">", ["get", "n"], 3]'],
    ["--keep-coincident"], ["--no-leaves"], ["--no-clusters"], ["--facet", "kind"],
]
ENDINGS = [".mbtiles", ".pmtiles", "/"]


def run(*arguments):
    return subprocess.run([covey, *map(str, arguments)], capture_output=True, text=True)


def must(process, what):
    if process.returncode != 0:
        sys.exit(f"updates: {what}: {process.stderr}")


def place(rng, points):
    """A random position: anywhere, near another point, at its position, or on an edge."""
    kind = rng.randrange(6)
    if kind == 0 and points:
        return rng.choice(list(points.values()))[:2]
    if kind == 1 and points:
        x, y = rng.choice(list(points.values()))[:2]
        return x + rng.uniform(-1e-3, 1e-3), y
    if kind == 2:
        return rng.choice([-180, 180, 0, 90, 179.9999]), rng.choice([0, 85, -85, 66.51326])
    return rng.uniform(-180, 180), rng.uniform(-85, 85)


def point(rng, points):
    x, y = place(rng, points)
    return (x, y, rng.randrange(1, 50), rng.choice(["inn", "bar", "hut"]))


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["lon", "lat", "key", "n", "kind", "delete"])
        writer.writerows(rows)


def write_points(path, points, rng):
    rows = [(p[0], p[1], key, p[2], p[3], "") for key, p in points.items()]
    rng.shuffle(rows)
    write(path, rows)


def change(rng, points, fresh):
    """Changes the points, and returns the rows for the update."""
    rows = []
    for _ in range(rng.choice([1, 3, 30])):
        what = rng.randrange(4)
        key = rng.choice(list(points)) if points else None
        if what == 0 or key is None:
            key = fresh()
        elif what == 1 and len(points) > 1:
            del points[key]
            rows.append(("", "", key, "", "", "true"))
            continue
        points[key] = point(rng, points)
        p = points[key]
        rows.append((p[0], p[1], key, p[2], p[3], ""))
    return rows


def rows(path):
    """All rows of an archive. SQLite rolls back the transaction of a killed writer."""
    with contextlib.closing(sqlite3.connect(path)) as archive:
        names = [n for n, in archive.execute("SELECT name FROM sqlite_schema WHERE type <> 'index' ORDER BY name")]
        # The keys of payloads may differ; a view shows the payloads by their numbers.
        found = [
            archive.execute(f"SELECT count(*) FROM {name}").fetchall()
            if name in ("covey_payloads", "covey_numbers") else sorted(archive.execute(f"SELECT * FROM {name}"))
            for name in names]
        return names, found, archive.execute("PRAGMA page_size").fetchall(), archive.execute(
            "PRAGMA integrity_check").fetchall()


def same(a, b):
    """Whether two files, or two folders, have the same bytes; MBTiles the same rows, as they may be changed in place."""
    if a.suffix == ".mbtiles":
        return rows(a) == rows(b)
    if a.is_file():
        return filecmp.cmp(a, b, shallow=False)
    names = sorted(p.relative_to(a) for p in a.rglob("*") if p.is_file())
    if names != sorted(p.relative_to(b) for p in b.rglob("*") if p.is_file()):
        return False
    return all(filecmp.cmp(a / n, b / n, shallow=False) for n in names)


def outputs(folder, ending):
    names = {".mbtiles": ["out.mbtiles"], "/": ["out"]}
    return [folder / n for n in names.get(ending, ["out.pmtiles", "out.clusters.pmtiles"])]


def check_same(work, ending, what):
    for output in outputs(work / "a", ending):
        other = work / "b" / output.name
        if output.exists() != other.exists() or (output.exists() and not same(output, other)):
            sys.exit(f"updates: {what}: {output} and {other} differ")


def case(number, work):
    rng = random.Random(seed + number)
    # Each archive is updated five times, as archives often are.
    ending, chosen = rng.choice(ENDINGS), rng.choice(OPTIONS) + rng.choice(OPTIONS[:1] * 3 + OPTIONS)
    options = ["--max-zoom", rng.choice([3, 6, 9])] if rng.randrange(4) else []
    points, count = {}, 0

    def fresh():
        nonlocal count
        count += 1
        return count

    for _ in range(rng.choice([1, 2, 30, 1000])):
        points[fresh()] = point(rng, points)
    for side in "ab":
        (work / side).mkdir(parents=True)
    line = ["--id", "key", "--exclude", "delete", "--keep-points", "-q", "--force", *options, *chosen]
    # Some are built and updated in cells, with the same job.
    job = ["--job", work / "job"] if rng.random() < 0.4 else []

    def build(side):
        write_points(work / side / "in.csv", points, rng)
        out = f"{work / side / 'out'}{ending}"
        cells = [*job, "--cell-zoom", rng.choice([1, 2, 3])] if side == "a" and job else []
        return run("build", work / side / "in.csv", "-o", out, *line, *cells)

    first = build("a")
    if first.returncode != 0:
        shutil.rmtree(work)
        return False
    for step in range(5):
        write(work / "changes.csv", change(rng, points, fresh))
        # The archive stores the path of its job.
        named = job if rng.randrange(2) else []
        updated = run("update", f"{work / 'a' / 'out'}{ending}", work / "changes.csv", "-q", *named)
        built = build("b")
        if built.returncode != 0:
            # If the filter leaves no points, both refuse.
            if updated.returncode == 0:
                sys.exit(f"updates: case {number}: {built.stderr}")
            break
        must(updated, f"case {number}, step {step}, {chosen}")
        check_same(work, ending, f"case {number}, step {step}, {chosen}")
    shutil.rmtree(work)
    return True


def killed(work, cells):
    """After a kill the archive is the old or the new one, with its points beside it or in its job, and can be updated."""
    work.mkdir(parents=True)
    rng = random.Random(seed)
    points = {n: point(rng, {}) for n in range(4_000)}
    write_points(work / "in.csv", points, rng)
    moved = {n: point(rng, {}) for n in range(0, 4_000, 7)}
    write(work / "changes.csv", [(p[0], p[1], n, p[2], p[3], "") for n, p in moved.items()])
    ends = {"old": 0, "new": 0, "between": 0}
    for ending in ENDINGS:
        old, new = work / f"old{ending[1:]}", work / f"new{ending[1:]}"
        job = (lambda folder: ["--job", folder / "job"]) if cells else lambda folder: []

        def build(folder):
            folder.mkdir()
            cut = ["--cell-zoom", 2] if cells else []
            must(run("build", work / "in.csv", "-o", f"{folder / 'out'}{ending}", "--id", "key", "--exclude",
                     "delete", "--keep-points", "-q", "--max-zoom", 7, *job(folder), *cut), "build")
        build(old)
        build(new)
        start = time.time()
        must(run("update", f"{new / 'out'}{ending}", work / "changes.csv", "-q", *job(new)), "update")
        took = time.time() - start
        for _ in range(kills // len(ENDINGS) + 1):
            trial = work / "trial"
            # A job does not recognize a copy of its archive, so each trial builds its own.
            build(trial)
            line = ["update", f"{trial / 'out'}{ending}", work / "changes.csv", "-q", *job(trial)]
            process = subprocess.Popen([covey, *line], stderr=subprocess.DEVNULL)
            # An update in place changes the archive at its end.
            time.sleep(rng.uniform(rng.choice([0, 0.8]), 1) * took)
            process.kill()
            process.wait()
            which = [name for name, folder in (("old", old), ("new", new))
                     if all(same(trial / o.name, o) for o in outputs(folder, ending))]
            if not which:
                # The clusters of a pair are replaced first, and the files of a folder one after another.
                is_mixed = cells and ending == "/"
                if is_mixed:
                    ends["between"] += 1
                elif ending != ".pmtiles" or not same(trial / "out.pmtiles", old / "out.pmtiles"):
                    sys.exit(f"updates: killed: {trial / 'out'}{ending} is neither old nor new")
            else:
                ends[which[0]] += 1
            must(run(*line), "update after a kill")
            for output in outputs(new, ending):
                if not same(trial / output.name, output):
                    sys.exit(f"updates: after a kill: {output.name} is not what it should be")
            left = [n for n in os.listdir(trial) if n.startswith("out")]
            if len(left) != len(outputs(new, ending)) + 1:
                sys.exit(f"updates: after a kill: left over: {left}")
            shutil.rmtree(trial)
    print(f"updates: {'in cells ' if cells else ''}killed {sum(ends.values())} times: "
          + ", ".join(f"{count} {name}" for name, count in ends.items()))


def at_once(work):
    """Of two updates at the same time one succeeds, and the other ends with a message."""
    work.mkdir()
    rng = random.Random(seed)
    points = {n: point(rng, {}) for n in range(30_000)}
    write_points(work / "in.csv", points, rng)
    out = work / "out.mbtiles"
    must(run("build", work / "in.csv", "-o", out, "--id", "key", "--keep-points", "-q", "--max-zoom", 9), "build")
    for n in range(2):
        write(work / f"changes{n}.csv", [(1 + n, 2, 100_000 + n, 5, "inn", "")])
    processes = [subprocess.Popen([covey, "update", out, work / f"changes{n}.csv", "-q"],
                                  stderr=subprocess.PIPE, text=True) for n in range(2)]
    ends = [(p.communicate()[1], p.returncode) for p in processes]
    codes = sorted(code for _, code in ends)
    if codes[0] != 0 or (codes[1] != 0 and not any("another run of covey" in e for e, _ in ends)):
        sys.exit(f"updates: two at once: {ends}")
    print("updates: of two at once", "both came in turn" if codes[1] == 0 else "one was refused")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    equal, number = 0, 0
    while equal < cases:
        equal += case(number, folder / f"case{number}")
        number += 1
        if number % 50 == 0:
            print(f"updates: {equal} of {cases} sequences", flush=True)
    print(f"updates: {equal} sequences of five updates are what builds give; {number - equal} refused by both")
    if kills:
        for cells in (False, True):
            killed(folder / f"killed-{cells}", cells)
        at_once(folder / "once")
