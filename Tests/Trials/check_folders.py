#!/usr/bin/env python3
"""check_folders.py COVEY [KILLS]: folders whose builds and conversions are killed, or run out of disk.

A new folder is complete or absent. When a folder is replaced, the old or the new one is there, complete: one step
exchanges them. The next run removes the files that killed runs leave. The test of full disks needs root, for a small
tmpfs.
"""
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from samples import write_points

covey, kills = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
random.seed(1)


def state(folder):
    """A digest of all files of a folder, or None."""
    if not folder.exists():
        return None
    digest = hashlib.md5()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def build(points, target, *options):
    return [covey, "build", str(points), "-o", f"{target}/", "--max-zoom", "5", "--layer", "points",
            "--name", "points", "--quiet", "--public-url", "https://example.org/t", *options]


def convert(source, target):
    return [covey, "convert", str(source), f"{target}/", "--quiet", "--force", "--public-url",
            "https://example.org/t"]


def kill_trials(work):
    write_points(work / "new.csv", 3_000, 1)
    write_points(work / "old.csv", 500, 2)
    archive = work / "new.mbtiles"
    subprocess.run(build(work / "new.csv", work / "t", "--force"), check=True)
    subprocess.run([covey, "convert", str(work / "t"), str(archive), "--quiet"], check=True)
    new = state(work / "t")
    shutil.rmtree(work / "t")
    subprocess.run(build(work / "old.csv", work / "t", "--force"), check=True)
    old = state(work / "t")
    os.rename(work / "t", work / "old")
    killed = 0
    for command in (build(work / "new.csv", work / "t", "--force"), convert(archive, work / "t")):
        start = time.time()
        subprocess.run(command, check=True)
        took = time.time() - start
        assert state(work / "t") == new, "a folder is not the same each time"
        for number in range(kills):
            shutil.rmtree(work / "t", ignore_errors=True)
            if number % 2:
                shutil.copytree(work / "old", work / "t")
            process = subprocess.Popen(command)
            time.sleep(random.uniform(0, 1.05 * took))
            process.kill()
            killed += process.wait() != 0
            found = state(work / "t")
            assert found in ({old, new} if number % 2 else {None, new}), "neither old, new nor absent"
        subprocess.run(command, check=True)
        left = [path.name for path in work.iterdir() if path.name.startswith(".")]
        assert not left, f"killed runs left {left}"
    print(f"trials: {killed} folders killed while they were made; all whole, as they were, or absent")


def disk_trials(work):
    disk = work / "disk"
    disk.mkdir()
    size = sum(
        -(-path.stat().st_size // 4096) * 4096 for path in (work / "t").rglob("*") if path.is_file())
    for share in (0.05, 0.3, 0.6, 0.85):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={int(size * share)}", "tmpfs", disk], check=True)
        try:
            done = subprocess.run(convert(work / "new.mbtiles", disk / "full"), capture_output=True, text=True)
            assert done.returncode != 0 and "disk is full" in done.stderr, (share, done.stderr)
            assert not list(disk.iterdir()), f"a full disk keeps {list(disk.iterdir())}"
        finally:
            subprocess.run(["umount", disk], check=True)
    print("trials: 4 folders on full disks; nothing was left")


with tempfile.TemporaryDirectory() as work:
    kill_trials(pathlib.Path(work))
    if os.geteuid() == 0:
        disk_trials(pathlib.Path(work))
