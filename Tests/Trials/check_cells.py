#!/usr/bin/env python3
"""check_cells.py COVEY [CASES [SEED [KILLS]]]: a build in cells writes the bytes of one in memory.

Random cases, by one command or as a job whose tasks several processes run in random order; jobs that continue after their
points have changed; jobs that continue after they were killed at random moments of every phase; and the commands in
docs/large-builds.md. Cases that cannot be cut are counted by reason.
"""
import collections
import filecmp
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from cell_cases import COUNTS, write_case
from samples import write_points

covey = sys.argv[1]
cases, seed, kills = [int(a) for a in sys.argv[2:5] + ["500", "1", "40"][len(sys.argv) - 2:]]
ZOOMS, MARGINS = [1, 2, 3, 4, 5], [None, None, 0, 1, 4]


def run(*arguments):
    return subprocess.run([covey, *map(str, arguments)], capture_output=True, text=True)


def start(*arguments):
    return subprocess.Popen([covey, *map(str, arguments)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def must(process, what):
    error = process.communicate()[1] if isinstance(process, subprocess.Popen) else process.stderr
    if process.returncode != 0:
        sys.exit(f"cells: {what}: {error}")


def cut_options(rng):
    margin = rng.choice(MARGINS)
    return ["--cell-zoom", rng.choice(ZOOMS)] + ([] if margin is None else ["--cell-margin", margin])


def build_by_job(rng, recipe, out, options):
    """Runs the phases with several processes, some of which do the same work."""
    job = out.parent / "job"
    plans = [start("cells", "plan", recipe, "--job", job, "--threads", 1, *options)
             for _ in range(rng.choice([1, 2]))]
    errors = [(p.communicate()[1], p.returncode) for p in plans]
    failed = [error for error, code in errors if code != 0]
    if failed:
        return failed[0]
    count = rng.randrange(1, 5)
    phases = ["cluster", "top", "tiles"]
    is_shared = out.suffix == ".pmtiles"
    for phase in phases + (["index", "merge"] if is_shared else []):
        while True:
            tasks = [["--task", f"{n}/{count}"] for n in range(1, count + 1)]
            tasks = [[]] if phase == "top" else tasks + rng.sample(tasks, rng.randrange(2))
            rng.shuffle(tasks)
            rest = ["-o", out] if phase == "merge" else []
            at_once = [start("cells", phase, "--job", job, "--threads", 1, *task, *rest)
                       for task in tasks]
            for process in at_once:
                must(process, phase)
            status = run("cells", "status", "--job", job).stdout
            if f"next: covey cells {phase} " not in status or phase == "merge":
                break
    if not is_shared:
        must(run("cells", "merge", "--job", job, "-o", out, "--quiet"), "merge")
    left = [path.name for path in out.parent.iterdir() if path.name.startswith(".")]
    return f"left behind: {left}" if left else None


def random_cases(folder):
    refused, widened, equal, case = collections.Counter(), 0, 0, seed - 1
    # A case that is refused tests nothing, so another one follows.
    while equal < cases:
        case += 1
        rng = random.Random(case)
        work = folder / f"case{case}"
        work.mkdir()
        recipe, asked = write_case(work, rng)
        kind = rng.choice(["mbtiles", "mbtiles", "pmtiles"])
        whole, cut = [work / f"{name}.{kind}" for name in ["whole", "cut"]]
        options = cut_options(rng)
        built = run("build", recipe, "-o", whole, "--quiet", "--threads", rng.choice([1, 2]))
        if built.returncode != 0:
            refused["in memory too: " + built.stderr.split("\n")[0][-70:]] += 1
            shutil.rmtree(work)
            continue
        if rng.random() < 0.3:
            error = build_by_job(rng, recipe, cut, options)
        else:
            made = run("build", recipe, "-o", cut, "--threads", rng.choice([1, 2]), *options)
            error = made.stderr if made.returncode != 0 else None
            widened += error is None and ", 0 with a wider margin" not in made.stderr
        if error:
            if "cannot be cut" not in error:
                sys.exit(f"cells: case {case} in {work}: {error}")
            refused[re.sub(r".*cells: |;.*", "", error.split("\n")[0])[:90]] += 1
        else:
            equal += 1
            for path in work.glob("whole*"):
                other = path.with_name(path.name.replace("whole", "cut"))
                if not filecmp.cmp(path, other, shallow=False):
                    sys.exit(f"cells: case {case} differs: {work}, {options}, {asked}")
        shutil.rmtree(work)
    print(f"{equal} cases are equal, {widened} of them with cells of a wider margin")
    for reason, count in refused.most_common():
        print(f"  {count} more refused: {reason}")


def change(path, rng):
    """Adds, moves, changes and removes some points, mostly few; or changes their order."""
    lines = path.read_text().splitlines()
    for _ in range(rng.choice([0, 1, 1, 2, 5, len(lines)])):
        index = rng.randrange(len(lines))
        feature = json.loads(lines[index])
        deed = rng.randrange(4)
        if deed == 0:
            feature["geometry"]["coordinates"][0] += rng.choice([1e-6, -1e-4, 0.01, 20])
        elif deed == 1:
            feature["properties"]["n"] = rng.randrange(1000)
        elif deed == 2 and len(lines) > 1:
            del lines[index]
            continue
        elif deed == 3:
            lines.append(lines[index])
        lines[index] = json.dumps(feature)
    if rng.random() < 0.3:
        rng.shuffle(lines)
    path.write_text("\n".join(lines) + "\n")


def changed_cases(folder, name, wanted, counts, options_of):
    """A job that continues after its points have changed writes the same archive as a new build."""
    equal, cells, taken, case = 0, 0, 0, seed - 1
    while equal < wanted:
        case += 1
        rng = random.Random(f"{name} {case}")
        work = folder / f"{name}{case}"
        work.mkdir()
        recipe, asked = write_case(work, rng, counts)
        kind, options = rng.choice(["mbtiles", "pmtiles"]), options_of(rng)
        whole, cut = [work / f"{name}.{kind}" for name in ["whole", "cut"]]
        for turn in range(3):
            built = run("build", recipe, "-o", whole, "--quiet", "--force")
            command = ["build", recipe, "-o", cut, "--force", "--json", "--job", work / "job",
                       "--threads", rng.choice([1, 2]), *options]
            if turn and rng.random() < 0.3:
                process = start(*command)
                time.sleep(rng.random() * 0.2)
                process.kill()
                process.communicate()
            made = run(*command)
            if built.returncode != 0 or made.returncode != 0:
                if built.returncode == 0 and "cannot be cut" not in made.stderr:
                    sys.exit(f"cells: {name} case {case} in {work}: {made.stderr}")
                break
            figures = json.loads(made.stdout)["cells"]
            cells, taken = cells + figures["cells"], taken + figures["taken_over"]
            equal += turn > 0
            for path in work.glob("whole*"):
                other = path.with_name(path.name.replace("whole", "cut"))
                if not filecmp.cmp(path, other, shallow=False):
                    sys.exit(f"cells: {name} case {case}, turn {turn}, differs: {work}, {options}, {asked}")
            jobs = [path.name for path in (work / "job").iterdir()
                    if path.name != "parts" and not path.name.startswith("plan.json")]
            if len(jobs) != 1:
                sys.exit(f"cells: {name} case {case}, turn {turn}, left {jobs} in {work}")
            change(rng.choice(list(work.glob("in*.geojsonl"))), rng)
        shutil.rmtree(work)
    print(f"{equal} {name} jobs whose points have changed are equal; {taken} of {cells} cells were taken over")


def kill_trials(folder):
    """Each phase is killed at random moments; then the job continues."""
    points = folder / "points.csv"
    write_points(points, 30_000, 1)
    # With these options the job has files of every kind.
    options = ["--max-zoom", "9", "--layer", "points", "--spread",
               "--inherit", "name"]
    for kind in ["mbtiles", "pmtiles"]:
        must(run("build", points, "-o", folder / f"whole.{kind}", "--quiet", *options), "build")
    begin = time.time()
    must(run("build", points, "-o", folder / "first.mbtiles", "--cell-zoom", 2, *options), "cells")
    took, killed = time.time() - begin, 0
    rng, job = random.Random(seed), folder / "killed"
    for turn in range(max(1, kills // 20)):
        shutil.rmtree(job, ignore_errors=True)
        kind = ["pmtiles", "mbtiles"][turn % 2]
        out = folder / f"cut.{kind}"
        merge = ["cells", "merge", "-o", out, "--force"]
        phases = [["cells", "plan", points, "--cell-zoom", 2, *options], ["cells", "cluster"],
                  ["cells", "top"], ["cells", "tiles"], ["cells", "index"],
                  *([[*merge, "--task", f"{n}/2"] for n in (1, 2)] if kind == "pmtiles" else [merge])]
        for phase in phases:
            for _ in range(4):
                process = start(*phase, "--job", job)
                time.sleep(rng.random() * took / 3)
                process.kill()
                process.communicate()
                killed += process.returncode != 0
            must(run(*phase, "--job", job), phase[1])
        for whole in folder.glob("whole*." + kind):
            if not filecmp.cmp(whole, whole.with_name(whole.name.replace("whole", "cut")), shallow=False):
                sys.exit(f"cells: a job that was killed differs: {job}")
    print(f"{killed} phases killed, and the jobs that went on are equal")


def documented(folder):
    """Runs the array job and the Makefile of the page unchanged, with a substitute for sbatch."""
    page = (pathlib.Path(__file__).parents[2] / "docs/large-builds.md").read_text()
    blocks = [re.sub(r"(?m)^    ", "", block)
              for block in re.findall(r"(?m)((?:^(?:    .*)?\n)+)", page) if block.strip()]
    script, = [b for b in blocks if "#SBATCH" in b]
    submit, = [b for b in blocks if "sbatch --parsable" in b]
    makefile, = [b for b in blocks if "TASKS =" in b]
    tools = folder / "bin"
    tools.mkdir()
    (tools / "covey").symlink_to(os.path.abspath(covey))
    (tools / "sbatch").write_text(SBATCH)
    (tools / "sbatch").chmod(0o755)
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
    for name, text, command in [("array", submit, ["bash", "-eu", "run"]),
                                ("make", makefile, ["make", "-j4", "-f", "run"])]:
        work = folder / name
        work.mkdir()
        write_points(work / "places.csv", 5_000, 3)
        (work / "cells.sh").write_text(script.lstrip("\n"))
        (work / "run").write_text(text)
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"cells: {name} as documented: {done.stderr}")
        must(run("build", work / "places.csv", "-o", work / "whole.mbtiles", "--max-zoom", 14,
                 "--quiet"), "build")
        if not filecmp.cmp(work / "places.mbtiles", work / "whole.mbtiles", shallow=False):
            sys.exit(f"cells: {name} as documented makes another archive")
    print("the array job and the Makefile of the page make the same archive")


SBATCH = r"""#!/usr/bin/env bash
# Runs immediately what Slurm would run: --wrap "COMMAND", or a script for each task of its array.
set -euo pipefail
while [ $# -gt 0 ]; do
    case $1 in
    --parsable) ;;
    -d) shift ;;
    --export=ALL,*) for pair in $(tr , ' ' <<<"${1#--export=ALL,}"); do export "${pair?}"; done ;;
    --wrap) shift; bash -euc "$1" >&2; echo 1; exit ;;
    *) script=$1 ;;
    esac
    shift
done
range=$(sed -n 's/^#SBATCH --array=//p' "$script")
for task in $(seq "${range%-*}" "${range#*-}"); do
    SLURM_ARRAY_TASK_ID=$task bash -eu "$script" >&2
done
echo 1
"""

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="covey-cells-") as name:
        documented(pathlib.Path(name))
        random_cases(pathlib.Path(name))
        changed_cases(pathlib.Path(name), "small", cases // 2, COUNTS, cut_options)
        # With so many points, several tasks write the leaves of one cluster.
        changed_cases(pathlib.Path(name), "large", cases // 25, (300, 70_000, 150_000), lambda rng: [])
        kill_trials(pathlib.Path(name))
