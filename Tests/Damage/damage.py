"""Damages archives at random and runs covey's reading verbs over them: no signal, no long wait, no
great memory. Called by scripts/damaged."""

import argparse
import gzip
import json
import multiprocessing
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

VERBS = {
    "inspect": lambda path, other: ["inspect", path, "--json"],
    "tile": lambda path, other: ["inspect", path, "0/0/0"],
    "verify": lambda path, other: ["verify", path, "--json"],
    "deep": lambda path, other: ["verify", path, "--deep", "--json"],
    "diff": lambda path, other: ["diff", path, other],
    "clusters": lambda path, other: ["clusters", path, "--containing", "10,10", "--zoom", "2"],
    "style": lambda path, other: ["style", path],
}
INTEGERS = [0, 1, -1, 31, 32, 255, 4_000, 2**31 - 1, 2**31, 2**40, 2**48, 2**53, 2**62, 2**63 - 1,
            -(2**63)]


def value(random, old):
    """Something to stand in place of a value of a table."""
    kind = random.randrange(6)
    if kind == 0:
        return random.choice(INTEGERS)
    if kind == 1:
        return None
    if kind == 2:
        return random.choice(["", "x", "{}", "[]", "1e999", "-180,-90,180,90", "\u0000"])
    if kind == 3:
        return random.random() * random.choice([1, 1e300])
    if kind == 4:
        return bytes(random.randrange(256) for _ in range(random.randrange(60)))
    if isinstance(old, int):
        return max(-(2**63), min(2**63 - 1, old + random.choice([-1, 1, 32, -32, 2**20])))
    return mutated(random, old) if isinstance(old, (str, bytes)) else old


def mutated(random, old):
    """A text or blob with a few bytes changed; of a gzip also what it holds."""
    if isinstance(old, bytes) and old[:2] == b"\x1f\x8b" and random.random() < 0.8:
        try:
            return gzip.compress(mutated(random, gzip.decompress(old)), 1, mtime=0)
        except (OSError, EOFError):
            return old
    data = bytearray(old.encode() if isinstance(old, str) else old)
    for _ in range(random.randint(1, 4)):
        if not data:
            break
        at = random.randrange(len(data))
        change = random.randrange(4)
        if change == 0:
            data[at] = random.randrange(256)
        elif change == 1:
            del data[at:at + random.randint(1, 20)]
        elif change == 2:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.randint(1, 8)))
        else:
            data[at] ^= 1 << random.randrange(8)
    return data.decode("utf-8", "replace") if isinstance(old, str) else bytes(data)


def damage_rows(random, path):
    database = sqlite3.connect(path)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for _ in range(random.randint(1, 4)):
        table = random.choice(names)
        rows = database.execute(f"SELECT rowid, * FROM {table} LIMIT 400").fetchall()
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        if not rows or not columns:
            continue
        row = random.choice(rows)
        column = random.randrange(len(columns))
        try:
            if random.random() < 0.1:
                database.execute(f"DELETE FROM {table} WHERE rowid = ?", (row[0],))
            elif random.random() < 0.05:
                database.execute(f"UPDATE {table} SET {columns[column]} = ?",
                                 (value(random, row[column + 1]),))
            else:
                database.execute(f"UPDATE {table} SET {columns[column]} = ? WHERE rowid = ?",
                                 (value(random, row[column + 1]), row[0]))
        except (sqlite3.Error, OverflowError):
            pass
    database.commit()
    database.close()


def damage_bytes(random, path):
    data = bytearray(Path(path).read_bytes())
    kind = random.randrange(4)
    if kind == 0:
        data = data[:random.randrange(len(data))]
    elif kind == 1:
        start = random.randrange(len(data))
        data[start:start + random.randint(1, 4096)] = bytes(random.randint(1, 4096))
    elif kind == 2:
        for _ in range(random.randint(1, 30)):
            data[random.randrange(len(data))] = random.randrange(256)
    else:
        # The headers of pages decide most.
        for _ in range(random.randint(1, 4)):
            page = random.randrange(max(len(data) // 4096, 1)) * 4096
            data[min(page + random.randrange(120), len(data) - 1)] = random.randrange(256)
    Path(path).write_bytes(data)


def run(words, seconds):
    """Runs a program: its status, its seconds and its memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = 0
    return status, time.monotonic() - start, usage.ru_maxrss / 1024


def attempt(task):
    seed, covey, bases, folder, seconds, megabytes = task
    source = random.Random(seed)
    base = source.choice(bases)
    path = f"{folder}/{seed}.mbtiles"
    shutil.copy(base, path)
    (damage_rows if source.random() < 0.65 else damage_bytes)(source, path)
    faults, worst = [], (0.0, 0.0)
    for verb, words in VERBS.items():
        status, took, memory = run([covey, *words(path, base)], seconds)
        worst = (max(worst[0], took), max(worst[1], memory))
        if os.WIFSIGNALED(status):
            word = "took too long" if took >= seconds else f"signal {os.WTERMSIG(status)}"
            faults.append(f"{verb}: {word}")
        if memory > megabytes:
            faults.append(f"{verb}: {memory:.0f} MB")
    if faults:
        kept = f"{folder}/kept-{seed}.mbtiles"
        shutil.copy(path, kept)
        faults = [f"seed {seed} of {Path(base).name}: {fault}" for fault in faults]
    for name in (path, path + "-journal", path + "-wal", path + "-shm"):
        if os.path.exists(name):
            os.remove(name)
    return faults, worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("covey")
    parser.add_argument("count", type=int)
    parser.add_argument("bases", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=float, default=300)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="covey-damage-")
    tasks = [(options.seed + index, options.covey, options.bases, folder, options.seconds,
              options.megabytes) for index in range(options.count)]
    found, slowest, largest = [], 0.0, 0.0
    with multiprocessing.Pool() as pool:
        for faults, (took, memory) in pool.imap_unordered(attempt, tasks):
            found += faults
            slowest, largest = max(slowest, took), max(largest, memory)
    print(f"damaged: {options.count} archives × {len(VERBS)} verbs: {len(found)} findings; the "
          f"slowest took {slowest:.1f} s, the largest {largest:.0f} MB")
    for fault in sorted(found):
        print(f"  {fault}")
    if found:
        print(f"  they are kept in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


main()
