"""Runs `covey build` with broken files of every format. It must refuse a file with a message that names the file and the
position, or leave out and count the bad records. It must not end by a signal, take long or use much memory.

    inputs.py COVEY [--formats NAME…] [--noise N] [--seed N] [--jobs N]

Needs PyArrow and pyogrio, which write the valid files.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import broken_columns
import broken_databases
import broken_packed
import broken_text
from broken_text import ANYTHING, REFUSED, LeftOut
from damage import Watch

# The broken files of each format, by file extension.
FORMATS = {
    "geojson": broken_text.geojson, "ndjson": broken_text.lines, "csv": broken_text.csv,
    "gpkg": broken_databases.geopackage, "sqlite": broken_databases.sqlite,
    "fgb": broken_columns.flatgeobuf, "arrow": broken_columns.arrow, "parquet": broken_columns.parquet,
    "packed": broken_packed.packed, "zip": broken_packed.zipped, "gpx": broken_packed.gpx,
}
SKIPPING = ["--skip-invalid", "--skip-non-points"]
MEGABYTES = 200
# A record may have 256 MiB before it is refused.
LARGE = {"gzip of a line of 600 megabytes": 300}
# Words of a message that name a position in a file, or the whole file.
POSITION = re.compile("|".join([
    r":\d+: ", r"\b(byte|bytes|line|row|feature|row group) \d", r"(after|of) \d+ bytes",
    r": (header|footer|database|table \w+|zip archive|bzip2|the member crs): ",
    "the coordinate system ", "column", "holds no data", "is of no known format", "not undone here",
    r"of its (tables|files)", "a record of more than", "cannot be opened: ", "a header that", "read 0 records"]))


def noisy(source, whole):
    """A file with a few bytes changed, cut out or doubled."""
    data = bytearray(whole)
    for _ in range(source.randint(1, 6)):
        at, size = source.randrange(len(data)), source.choice([1, 1, 4, 30])
        kind = source.randrange(4)
        if kind == 0:
            data[at:at + size] = bytes(source.randrange(256) for _ in range(size))
        elif kind == 1:
            data[at] ^= 1 << source.randrange(8)
        elif kind == 2:
            del data[at:at + size]
        else:
            data[at:at] = data[at:at + size]
    return bytes(data[:source.randrange(len(data))] if source.random() < 0.15 else data)


def cases(ending, options):
    named = list(FORMATS[ending]())
    source = random.Random(f"{options.seed} {ending}")
    # Noise is added to files that are valid except for one record.
    bases = [data for _, data, lost in named if lost == 1]
    return named + [(f"noise {number}", noisy(source, source.choice(bases or [named[0][1]])), ANYTHING)
                    for number in range(options.noise)]


def build(covey, path, words, watch):
    """Builds from a file. Returns the counts of the report, or None, and the error output."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as report:
        process = subprocess.Popen(
            [covey, "build", path, "-o", f"{path}.mbtiles", "--force", "--quiet", "--json", "--max-zoom", "1", *words],
            stdout=report, stderr=errors)
        watch.finish(process, " ".join(words) or "build")
        errors.seek(0)
        report.seek(0)
        account = json.load(report)["layers"][0] if process.returncode == 0 else None
        return account, errors.read().decode("utf-8", "replace")


def lost_by(account, faults):
    """How many records were left out. Adds a fault if the counts do not add up."""
    lost = sum(account["rejected"].values())
    if account["records"] != account["kept"] + lost:
        faults.append(f"{account['records']} records, of which {account['kept']} were kept and {lost} left out")
    return lost


def check(account, message, name, wanted, is_skipping, faults):
    stops = wanted is REFUSED or not (is_skipping or isinstance(wanted, LeftOut) or wanted == 0)
    if account is None:
        if wanted != ANYTHING and not stops:
            faults.append(f"was refused: {message}")
        if name not in message or not POSITION.search(message.split(name, 1)[1]):
            faults.append(f"names no file and position: {message}")
        return
    lost = lost_by(account, faults)
    if wanted != ANYTHING and (stops or lost != wanted):
        faults.append(f"was built, and {lost} records were left out")


def attempt(task):
    covey, folder, ending, number, (title, data, wanted) = task
    name = f"{ending}-{number}.{'csv' if ending == 'packed' else ending}"
    path = os.path.join(folder, name)
    Path(path).write_bytes(data)
    watch = Watch(seconds=5, megabytes=LARGE.get(title, MEGABYTES))
    for words in ([], SKIPPING):
        faults = []
        check(*build(covey, path, words, watch), name, wanted, bool(words), faults)
        watch.faults += [f"{' '.join(words) or 'build'}: {fault}" for fault in faults]
    Path(f"{path}.mbtiles").unlink(missing_ok=True)
    if not watch.faults:
        os.unlink(path)
    return [f"{name}, {title}: {fault}" for fault in watch.faults], watch.slowest, watch.largest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("covey")
    parser.add_argument("--formats", nargs="+", default=list(FORMATS))
    parser.add_argument("--noise", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    folder = tempfile.mkdtemp(prefix="covey-inputs-")
    tasks = [(options.covey, folder, ending, number, case) for ending in options.formats
             for number, case in enumerate(cases(ending, options))]
    with multiprocessing.Pool(options.jobs) as pool:
        results = pool.map(attempt, tasks, chunksize=4)
    faults = [fault for found, _, _ in results for fault in found]
    for fault in faults:
        print(f"  {fault}")
    print(f"inputs: {len(tasks)} broken files of {len(options.formats)} formats: {len(faults)} findings; the slowest "
          f"took {max(slow for _, slow, _ in results):.1f} s, {max(large for _, _, large in results):.0f} MB at most")
    if faults:
        sys.exit(f"inputs: the files are in {folder}")
    subprocess.run(["rm", "-r", folder], check=True)


if __name__ == "__main__":
    main()
