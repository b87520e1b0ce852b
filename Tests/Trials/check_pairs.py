#!/usr/bin/env python3
"""check_pairs.py COVEY [KILLS]: builds PMTiles pairs that are killed, or run out of disk.

A new archive is complete or absent. When an archive is replaced, the old or the new one is there, complete.
A kill between the two renames leaves files of two builds: then `covey` must report that, and the next
build must replace both. The test of full disks needs root, for a small tmpfs.
"""
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from samples import write_points

covey, kills = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
random.seed(1)


def build(folder, name, points, *options):
    return [covey, "build", str(points), "-o", str(folder / f"{name}.pmtiles"), "--max-zoom", "8",
            "--layer", "points", "--name", "points", "--quiet", *options]


def state(folder, name):
    """A digest of each file of the pair, or None."""
    files = [folder / f"{name}.pmtiles", folder / f"{name}.clusters.pmtiles"]
    return tuple(hashlib.md5(f.read_bytes()).hexdigest() if f.exists() else None for f in files)


def kill_trials(folder):
    write_points(folder / "new.csv", 40_000, 1)
    write_points(folder / "old.csv", 5_000, 2)
    start = time.time()
    subprocess.run(build(folder, "whole", folder / "new.csv"), check=True)
    took = time.time() - start
    subprocess.run(build(folder, "old", folder / "old.csv"), check=True)
    new, old = state(folder, "whole"), state(folder, "old")
    killed = between = 0
    for _ in range(kills):
        for name, allowed in (("fresh", {(None, None), new}), ("kept", {old, new})):
            for ending in ("pmtiles", "clusters.pmtiles"):
                target = folder / f"{name}.{ending}"
                target.unlink(missing_ok=True)
                if name == "kept":
                    target.write_bytes((folder / f"old.{ending}").read_bytes())
            process = subprocess.Popen(build(folder, name, folder / "new.csv", "--force"))
            time.sleep(random.uniform(0, 1.1 * took))
            process.kill()
            killed += process.wait() != 0
            found = state(folder, name)
            if found in allowed:
                continue
            # The clusters are renamed first, so only the archive can be missing or old.
            assert found == (old[0] if name == "kept" else None, new[1]), f"{name}: {found}"
            between += 1
            if name == "kept":
                result = subprocess.run(
                    [covey, "clusters", str(folder / "kept.pmtiles"), "--containing", "0,0", "--zoom", "0"],
                    capture_output=True, text=True)
                assert result.returncode != 0 and "does not belong" in result.stderr, result.stderr
            subprocess.run(build(folder, name, folder / "new.csv", "--force"), check=True)
            assert state(folder, name) == new
    for name in ("fresh", "kept"):
        subprocess.run(build(folder, name, folder / "new.csv", "--force"), check=True)
    left = [file.name for file in folder.iterdir() if file.name.startswith(".")]
    assert not left, f"killed builds left {left}"
    print(f"trials: {killed} builds of pairs killed; all whole or absent, {between} between their two names")


def disk_trials(folder):
    disk = folder / "disk"
    disk.mkdir()
    failures = 0
    sizes = sum(file.stat().st_size for file in folder.glob("whole*.pmtiles"))
    for share in (0.02, 0.3, 0.6, 0.9, 0.98):
        size = int(sizes * share) + 65_536 * (share < 0.1)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
        try:
            done = subprocess.run(
                build(disk, "full", folder / "new.csv"), capture_output=True, text=True)
            assert done.returncode != 0 and "disk is full" in done.stderr, (share, done.stderr)
            assert not list(disk.iterdir()), f"a full disk keeps {list(disk.iterdir())}"
            failures += 1
        finally:
            subprocess.run(["umount", disk], check=True)
    print(f"trials: {failures} builds of pairs on full disks; nothing was left")


with tempfile.TemporaryDirectory() as work:
    kill_trials(pathlib.Path(work))
    if os.geteuid() == 0:
        disk_trials(pathlib.Path(work))
