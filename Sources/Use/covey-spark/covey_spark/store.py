"""The files of a job: in a folder that all machines see, or in a store, from which each machine fetches what it needs
into a local folder.

Spark sends this module to workers. Of Covey it imports only `objects`, which Spark sends too.
"""

import base64
import concurrent.futures
import contextlib
import json
import os
import random
import re
import shutil
import tempfile
import uuid

from .objects import MAX_RANGE, MAX_REQUESTS, Objects, S3Objects, s3_client, start_of_tail

# Requests that run at the same time fetch at most so many bytes, if these are in memory beside the program.
MAX_IN_FLIGHT = 256 << 20
# Ranges with at most so many bytes between them are fetched in one request, which is as fast as two.
MAX_GAP = 3 << 20
# A snapshot has at most so many bytes of files.
MAX_SNAPSHOT = 64 << 20
# The program reads a file's head first. A task sends so many bytes of the head of each file that it uploads, and files that
# the driver or all tasks read as a whole, by the ends of their names, if they have at most MAX_SENT bytes.
HEAD = 4 << 10
SENT = (".head", "/top/ids")
MAX_SENT = 1 << 20


@contextlib.contextmanager
def temporary_folder():
    """A local folder, removed at the end."""
    # Spark removes its own local directories when the application ends, even after a crash.
    folders = [folder for folder in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if os.path.isdir(folder)]
    path = tempfile.mkdtemp(prefix="covey-job-", dir=random.choice(folders) if folders else None)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def temporary_text(text, suffix=""):
    """The path of a file with this text, removed at the end."""
    with tempfile.NamedTemporaryFile("w", suffix=suffix, encoding="utf-8") as file:
        file.write(text)
        file.flush()
        yield file.name


class JobFiles:
    """The files of a job in a folder of this machine, at `path`. Names are relative to the job's folder."""

    def at(self, name):
        return os.path.join(self.path, name)

    def move_archive(self, name, path):
        """Moves an archive out of the job. Each file appears whole, and the one that readers open appears last."""
        for own, target in reversed([*zip(archive_files(name), archive_files(path))]):
            if not self.has(own):
                continue
            self.fetch([[own]])
            temporary = f"{target}.{uuid.uuid4().hex}.part"
            try:
                shutil.move(self.at(own), temporary)
                os.replace(temporary, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.remove(temporary)
                raise
            self.forget(own)


class SharedFolder(JobFiles):
    """A folder that the driver and all workers see under one path. Nothing is fetched, uploaded or recorded, so the
    methods for that do nothing."""

    # Options for the program, and what this machine uploaded.
    options, uploaded = [], None
    # A stage may have tasks of fewer points than this only if each core has one task.
    points_per_task = 0

    def __init__(self, path):
        self.path = self.address = path

    @contextlib.contextmanager
    def open(self):
        yield self

    def refresh(self):
        pass

    def snapshot(self):
        return ()

    def add(self, *_):
        pass

    def set_cuts(self, name, cuts):
        pass

    def upload(self, min_size=0):
        pass

    def fetch(self, wanted):
        pass

    def forget(self, name):
        pass

    def remove(self, folder):
        """Removes a folder."""
        shutil.rmtree(self.at(folder), ignore_errors=True)

    def with_addresses(self, text):
        return text

    def has(self, name):
        return os.path.exists(self.at(name))

    def read(self, name):
        """The text of a file; None if it does not exist."""
        try:
            with open(self.at(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name, text):
        """Writes a file, which appears whole."""
        handle, temporary = tempfile.mkstemp(dir=self.path)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, self.at(name))

    def write_locally(self, name, text):
        """Writes a file that every task writes for itself, and returns its path."""
        if not self.has(name):
            self.write(name, text)
        return self.at(name)


class StoredFolder:
    """A folder in a store. Spark sends it to workers as its address and the settings of the connection."""

    def __init__(self, address, system, root, connection=None):
        """`connection`: what `connections.botocore_connection` returns, if the folder is in S3."""
        self.address, self.system, self.root = address.rstrip("/"), system, root.rstrip("/")
        self.connection = connection

    @contextlib.contextmanager
    def open(self):
        """Mirrors the folder on this machine."""
        with temporary_folder() as path:
            yield Mirror(self.address, self.objects(), path)

    def objects(self):
        if self.connection:
            try:
                return S3Objects(self.address, self.system, self.root, s3_client(self.connection))
            except ImportError:
                pass  # without botocore Arrow does the same, with more requests
        return Objects(self.address, self.system, self.root)


def archive_files(path):
    """The files of an archive: PMTiles have their clusters in a second file."""
    stem, ending = os.path.splitext(path)
    return [path, f"{stem}.clusters{ending}"] if ending == ".pmtiles" else [path]


class Mirror(JobFiles):
    """A local folder that mirrors a job's folder in a store. Each file has its full length, but is a hole until the
    program asks for ranges of it, which are then fetched."""

    options = ["--ask"]
    points_per_task = 4_000_000
    # More ranges are fetched in one request, as long as what is fetched in vain is at most this part of what is wanted.
    waste = 1 / 8

    def __init__(self, address, objects, path):
        self.address, self.objects, self.path = address, objects, path
        # The manifest of each object, and for each file the object that it is in.
        self.manifests, self.object_of = {}, {}
        # The size of each file, the files that are complete here, and the fetched ranges (start, end) of the others.
        self.sizes, self.complete, self.fetched = {}, set(), {}
        # The manifests of the objects that this machine uploaded, and the heads of their files.
        self.uploaded = {"manifests": {}, "heads": []}
        # The cuts of files that are made here, by their names within the job.
        self.cuts = {}

    def with_addresses(self, text):
        """A message of the program with the store's address in place of the local path."""
        return text.replace(self.path, self.address)

    def refresh(self):
        """Lists the objects of the store, and adds the new ones."""
        new = [(name, size) for name, size in self.objects.sizes().items() if name not in self.manifests]
        manifests = in_parallel(lambda entry: self.objects.manifest(*entry), new)
        self.add(dict(zip((name for name, _ in new), manifests)))

    def snapshot(self):
        """The arguments of `add` on other machines: all manifests, and fetched bytes, because the program reads many
        of them on every machine."""
        complete = {name: ends(name, self.at(name)) for name in self.complete if os.path.exists(self.at(name))}
        found = [(end - start, name, start) for name, ranges in {**self.fetched, **complete}.items()
                 for start, end in ranges
                 if end - start <= HEAD or self.is_read_by_tasks(name)]
        contents, left = [], MAX_SNAPSHOT
        for size, name, start in sorted(set(found)):
            left -= size
            if left < 0:
                break
            with open(self.at(name), "rb") as file:
                file.seek(start)
                contents.append((name, start, file.read(size)))
        return dict(self.manifests), contents

    def is_read_by_tasks(self, name):
        """Whether tasks may read more of a file that the driver has read than its head."""
        if name.startswith("parts/"):
            # The heads of parts are read until there is a plan.
            return not self.has("plan.json") and name.endswith(".head")
        # The tails of these are for the index and for the layout of the archive.
        return "/tiles/" not in name and leaf_task(name) < 0

    def add_uploaded(self, uploaded):
        """Adds the objects that a task uploaded."""
        self.add(uploaded["manifests"],
                 [(name, start, base64.b64decode(text)) for name, start, text in uploaded["heads"]])

    def add(self, manifests, contents=()):
        """Adds the files of objects that are new here, and some of their bytes.

        `contents`: (file, offset, bytes) of each range whose bytes are known.
        """
        for pack, manifest in manifests.items():
            if pack not in self.manifests:
                self.manifests[pack] = manifest
                sizes = {}
                for name, start, _, length in manifest:
                    sizes[name] = max(sizes.get(name, 0), start + length)
                for name, size in sizes.items():
                    self.add_file(name, pack, size)
        for name, start, chunk in contents:
            with open(self.at(name), "r+b") as file:
                file.seek(start)
                file.write(chunk)
            self.fetched.setdefault(name, []).append((start, start + len(chunk)))

    def add_file(self, name, pack, size):
        # If two tasks made a file, its bytes are the same in both objects.
        if name in self.sizes:
            return
        self.sizes[name], self.object_of[name] = size, pack
        if os.path.exists(self.at(name)):
            self.complete.add(name)
            return
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "wb") as file:
            file.truncate(size)

    def fetch(self, wanted):
        """Fetches files. `wanted`: [name] of each file, or [name, offset, length] of a range of it."""
        ranges = {}
        for name, *part in wanted:
            # A file that is in no object was made here.
            if name not in self.object_of or name in self.complete:
                continue
            pack, size = self.object_of[name], self.sizes[name]
            offset, length = part or (0, size)
            for start, end in missing_ranges(offset, min(offset + length, size), self.fetched.get(name, ())):
                ranges.setdefault(pack, []).extend(
                    (position + max(start - first, 0), position + min(end - first, length))
                    for other, first, position, length in self.manifests[pack]
                    if other == name and first < end and start < first + length)
        requests = range_requests(ranges, self.waste)
        largest = max((end - start for _, start, end in requests), default=1) if self.objects.holds_ranges else 1
        in_parallel(self.fetch_range, requests, MAX_IN_FLIGHT // largest)
        for request in requests:
            for name, start, end, _ in self.file_ranges(*request):
                self.fetched.setdefault(name, []).append((start, end))
        self.complete.update(name for name, *part in wanted if not part)

    def file_ranges(self, pack, start, end):
        """The ranges of files that a range of an object holds: (name, start, end, offset in the object) of each."""
        for name, first, position, length in self.manifests[pack]:
            if position < end and start < position + length and self.object_of.get(name) == pack and name not in self.complete:
                offset = max(start, position)
                yield name, first + offset - position, first + min(end, position + length) - position, offset

    def fetch_range(self, request):
        """Fetches a range of an object and writes it to the files that it belongs to."""
        pack, start, end = request
        for chunk in self.objects.read(pack, start, end):
            for name, first, last, offset in self.file_ranges(pack, start, start + len(chunk)):
                with open(self.at(name), "r+b") as file:
                    file.seek(first)
                    file.write(chunk[offset - start:offset - start + last - first])
            start += len(chunk)

    def set_cuts(self, name, cuts):
        """Sets where `upload` cuts a file: see `Objects.put_pack`."""
        self.cuts[name] = cuts

    def upload(self, min_size=0):
        """Uploads the files that were made here as one pack, if they have at least so many bytes in all."""
        new = [name for name in self.local_files() if name not in self.sizes and not name.endswith(".part")]
        if not new or sum(os.path.getsize(self.at(name)) for name in new) < min_size:
            return
        # Files of one kind are read together: blocks of leaves in the order of leaves, others in that in which they were made.
        new.sort(key=lambda name: (os.path.splitext(name)[1], leaf_task(name), os.stat(self.at(name)).st_mtime_ns, name))
        pack, manifest = self.objects.put_pack(
            [(name, self.at(name), self.cuts.get(name_in_job(name), ())) for name in new])
        self.uploaded["manifests"][pack] = manifest
        for name in new:
            is_sent = name.endswith(SENT) and os.path.getsize(self.at(name)) <= MAX_SENT
            with open(self.at(name), "rb") as file:
                head = file.read(MAX_SENT if is_sent else HEAD)
            self.uploaded["heads"].append((name, 0, base64.b64encode(head).decode()))
        self.add({pack: manifest})

    def remove(self, folder):
        """Removes a folder, also from the store."""
        for name in [name for name in self.sizes if name.startswith(f"{folder}/")]:
            os.remove(self.at(name))
            self.forget(name)

    def forget(self, name):
        """Forgets a file that is no longer here, and removes its object if no other file is in that."""
        del self.sizes[name]
        self.complete.discard(name)
        self.fetched.pop(name, None)
        pack = self.object_of.pop(name)
        if not any(self.object_of.get(name) == pack for name, *_ in self.manifests[pack]):
            self.objects.remove(pack)
            del self.manifests[pack]

    def local_files(self):
        for parent, _, names in os.walk(self.path):
            for name in names:
                yield os.path.relpath(os.path.join(parent, name), self.path)

    def has(self, name):
        return name in self.sizes

    def read(self, name):
        """The text of a file; None if it does not exist."""
        if not self.has(name):
            return None
        self.fetch([[name]])
        with open(self.at(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        """Writes a file, and uploads it as an object of its own, which a later upload can replace."""
        self.write_locally(name, text)
        with open(self.at(name), "rb") as source:
            self.objects.put(name, source)
        self.manifests[name], self.object_of[name] = [(name, 0, 0, self.sizes[name])], name

    def write_locally(self, name, text):
        """Writes a file that every task writes for itself, and returns its path. It is not uploaded."""
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        self.sizes[name] = os.path.getsize(self.at(name))
        self.complete.add(name)
        return self.at(name)


def ends(name, path):
    """What other machines may read of a file that was made here: all of it, or the head and the tail if it is large and has one."""
    size, tail = os.path.getsize(path), start_of_tail(name, path)
    return [(0, size)] if size <= MAX_SENT or tail == size else [(0, HEAD), (tail, size)]


def leaf_task(name):
    """The number of the task whose leaf blocks a file has; -1 if it has others."""
    found = re.search(r"/index/leaves-(\d+)$", name)
    return int(found[1]) if found else -1


def name_in_job(name):
    """The last two components of a name, as `CellTask` passes it to `set_cuts`."""
    return "/".join(name.split("/")[-2:])


def missing_ranges(start, end, present):
    """The parts of a range that no present range covers."""
    for first, last in sorted(present):
        if first < end and start < last:
            if start < first:
                yield start, first
            start = last
    if start < end:
        yield start, end


def range_requests(ranges, waste):
    """The range requests, (object, start, end), that fetch these ranges of objects: near ranges share a request."""
    ranges = {pack: joined(wanted) for pack, wanted in ranges.items()}
    gap = largest_gap(ranges.values(), waste)
    requests = []
    for pack, wanted in ranges.items():
        for start, end in joined(wanted, gap):
            requests += [(pack, first, min(first + MAX_RANGE, end)) for first in range(start, end, MAX_RANGE)]
    return requests


def joined(ranges, gap=0):
    """The ranges in order; those with at most so many bytes between them are joined."""
    found = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1] + gap:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return found


def largest_gap(lists, waste):
    """The largest gap that a request may fetch in vain, for lists of ranges in order."""
    left = waste * sum(end - start for ranges in lists for start, end in ranges)
    largest = MAX_GAP
    for gap in sorted(after[0] - before[1] for ranges in lists for before, after in zip(ranges, ranges[1:])):
        left -= gap
        if left < 0:
            break
        largest = max(largest, gap)
    return largest


def in_parallel(work, items, limit=MAX_REQUESTS):
    """Calls `work` with each item in threads, and returns the results in order."""
    if len(items) < 2:
        return [work(item) for item in items]
    with concurrent.futures.ThreadPoolExecutor(max(1, min(limit, MAX_REQUESTS))) as pool:
        return list(pool.map(work, items))


def output_lines(process, files):
    """The lines that the program prints, except its requests for files of the job: these files are fetched."""
    for line in process.stdout:
        if line.startswith(b'{"bring"'):
            files.fetch(json.loads(line)["bring"])
            with contextlib.suppress(BrokenPipeError):  # the program ended, and its error output says why
                process.stdin.write(b"\n")
                process.stdin.flush()
        else:
            yield line
