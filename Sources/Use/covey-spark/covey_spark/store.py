"""Where the files of a job lie: in a folder that all machines see, or in a store of objects, from which each
machine takes what it needs into a folder of its own.

This module goes to workers as it is, so it may need nothing of ours there.
"""

import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import tempfile
import uuid

# So many requests are out at once, of so much in all, for that is in memory beside the program.
REQUESTS = 16
IN_FLIGHT = 256 << 20
# So many files of a store are open at most: on some file systems each takes a descriptor.
OPEN = 256
# So much is asked for in one; more where much is wanted, as requests cost money.
LEAST = 8 << 20
MOST = 64 << 20
# Less than that is fetched along between two stretches, and less than so small a share of what is wanted of a file.
GAP = 64 << 10
GAPS = 128
# What a task is told of files in all.
MOST_KNOWN = 4 << 20


class StoreError(RuntimeError):
    """What a store refused, with the address that it is about."""


@contextlib.contextmanager
def own_folder():
    """A folder of this machine, which goes away."""
    # Those of Spark's, where there are any, go away with the application at the latest.
    places = [place for place in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if os.path.isdir(place)]
    path = tempfile.mkdtemp(prefix="covey-job-", dir=random.choice(places) if places else None)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Place:
    """A folder of this machine with the files of a job."""

    def at(self, name):
        return os.path.join(self.path, name)

    @contextlib.contextmanager
    def lent(self, text):
        """The path of a file for the program alone."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            yield file.name

    def take(self, name, path):
        """Moves an archive to its place. Its files appear whole, and the one that people open comes last."""
        for own, target in reversed([*zip(archive_files(name), archive_files(path))]):
            if not self.has(own):
                continue
            self.bring([[own]])
            temporary = f"{target}.{uuid.uuid4().hex}.part"
            try:
                shutil.move(self.at(own), temporary)
                os.replace(temporary, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.remove(temporary)
                raise
            self.forget(own)


class SharedFolder(Place):
    """A folder that the driver and all workers see under one path."""

    # What the program is told besides.
    words = []

    def __init__(self, path):
        self.path = self.address = path

    @contextlib.contextmanager
    def at_hand(self):
        """The folder as this machine has it."""
        yield self

    def refresh(self):
        """Nothing has to be fetched or sent."""

    def known(self):
        """The same."""
        return ()

    def learn(self):
        """The same."""

    def give(self):
        """The same."""

    def bring(self, wanted):
        """The same."""

    def forget(self, name):
        """What was moved is gone."""

    def remove(self, folder):
        """Removes a folder."""
        shutil.rmtree(self.at(folder), ignore_errors=True)

    def told(self, words):
        return words

    def has(self, name):
        return os.path.exists(self.at(name))

    def read(self, name):
        """The text of a file; None if it is not there."""
        try:
            with open(self.at(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name, text):
        """Writes a file that appears whole."""
        handle, temporary = tempfile.mkstemp(dir=self.path)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, self.at(name))

    def lay(self, name, text):
        """Where this machine has a file of which everybody knows the text."""
        if not self.has(name):
            self.write(name, text)
        return self.at(name)


class StoredFolder:
    """A folder in a store, which goes to workers as its address and what it takes to get there."""

    def __init__(self, address, system, root):
        self.address, self.system, self.root = address.rstrip("/"), system, root.rstrip("/")

    @contextlib.contextmanager
    def at_hand(self):
        """A folder of this machine that stands for it."""
        with own_folder() as path:
            scratch = Scratch(self, path)
            try:
                yield scratch
            finally:
                scratch.close()

    def key(self, name):
        return f"{self.root}/{name}"

    def failure(self, name, error):
        return StoreError(f"{self.address}/{name}: {error}")

    def sizes(self):
        """The sizes of all files by their names."""
        from pyarrow import fs
        try:
            found = self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True, recursive=True))
        except Exception as error:
            raise self.failure("", error) from error
        return {info.path[len(self.root) + 1:]: info.size for info in found
                if info.type == fs.FileType.File and not info.path.endswith(".part")}

    def open(self, name):
        """Opens a file to read, which a store is asked for its size for."""
        try:
            return self.system.open_input_file(self.key(name))
        except Exception as error:
            raise self.failure(name, error) from error

    def fetch(self, source, name, stretches, path):
        """Writes stretches of an open file where they belong in a file that is there."""
        try:
            with open(path, "r+b") as target:
                for start, end in stretches:
                    found = source.read_at(end - start, start)
                    if len(found) != end - start:
                        raise OSError(f"it ends before {end} bytes")
                    target.seek(start)
                    target.write(found)
        except Exception as error:
            raise self.failure(name, error) from error

    def remove(self, name):
        try:
            self.system.delete_file(self.key(name))
        except Exception as error:
            raise self.failure(name, error) from error

    def put(self, path, name):
        try:
            put(self.system, path, self.key(name))
        except Exception as error:
            raise self.failure(name, error) from error


def archive_files(path):
    """The files that an archive consists of: clusters have one of their own beside PMTiles."""
    stem, ending = os.path.splitext(path)
    return [path, f"{stem}.clusters{ending}"] if ending == ".pmtiles" else [path]


# In these an object appears when all of it has come.
KEYED = ("s3", "gcs", "abfs")


def put(system, path, key):
    """Brings a file to a file system, where it appears whole."""
    target = key
    if system.type_name not in KEYED:
        target = f"{key}.{uuid.uuid4().hex}.part"
        system.create_dir(key.rsplit("/", 1)[0], recursive=True)
    try:
        with open(path, "rb") as source, system.open_output_stream(target) as stream:
            while some := source.read(LEAST):
                stream.write(some)
    except BaseException:
        # A stream cannot be given up: it leaves what it has.
        with contextlib.suppress(Exception):
            system.delete_file(target)
        raise
    if target != key:
        system.move(target, key)


class Scratch(Place):
    """A folder of this machine that stands for one in a store. Its files are as long as they are there, and empty
    until the program asks for them.
    """

    words = ["--ask"]

    def __init__(self, folder, path):
        self.folder, self.path = folder, path
        # Of all that is in the store; of what is here as a whole; and of what else is here the stretches.
        self.sizes, self.whole, self.here = {}, set(), {}
        # Files of the store that are open, by their names.
        self.sources = {}

    def told(self, words):
        """What the program says, with addresses that people know."""
        return words.replace(self.path, self.folder.address)

    def refresh(self):
        """Learns from the store what is there."""
        self.learn(self.folder.sizes())

    def known(self):
        """What is there, for other machines, and bytes that the program has asked for here: it asks for many of them
        wherever it runs."""
        here = {name: [(0, self.sizes[name])] for name in self.whole if os.path.exists(self.at(name))}
        found = [(end - start, name, start) for name, stretches in {**self.here, **here}.items()
                 if not name.startswith("parts/") for start, end in stretches]
        bytes, left = [], MOST_KNOWN
        for size, name, start in sorted(found):
            left -= size
            if left < 0:
                break
            with open(self.at(name), "rb") as file:
                file.seek(start)
                bytes.append((name, start, file.read(size)))
        return dict(self.sizes), bytes

    def learn(self, sizes, bytes=()):
        """Puts a file that is as long in the place of each that is there, with such bytes as are known."""
        self.lay_out(sizes)
        for name, start, some in bytes:
            with open(self.at(name), "r+b") as file:
                file.seek(start)
                file.write(some)
            self.here.setdefault(name, []).append((start, start + len(some)))

    def lay_out(self, sizes):
        for name, size in sizes.items():
            if name in self.sizes:
                continue
            self.sizes[name] = size
            if os.path.exists(self.at(name)):
                self.whole.add(name)
                continue
            os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
            with open(self.at(name), "wb") as file:
                file.truncate(size)

    def bring(self, wanted):
        """Fetches files, each a name, or stretches of them, with their beginnings and lengths."""
        pieces = {}
        for name, *stretch in wanted:
            size = self.sizes.get(name)
            # What is not in the store has been made here.
            if size is None or name in self.whole:
                continue
            start, length = stretch or (0, size)
            end = min(start + length, size)
            if any(first <= start and end <= last for first, last in self.here.get(name, ())):
                continue
            pieces.setdefault(name, []).append((start, end))
        names = list(pieces)
        for first in range(0, len(names), OPEN):
            self.fetch({name: pieces[name] for name in names[first:first + OPEN]})
        self.whole.update(name for name, *stretch in wanted if not stretch)
        for name, stretches in pieces.items():
            self.here.setdefault(name, []).extend(stretches)

    def fetch(self, pieces):
        """Fetches stretches of files, by their names."""
        closed = [name for name in pieces if name not in self.sources]
        others = [name for name in self.sources if name not in pieces]
        self.close(others[:max(0, len(self.sources) + len(closed) - OPEN)])
        self.sources.update(zip(closed, together(self.folder.open, closed)))
        most, asked = fetches(pieces)
        together(lambda piece: self.folder.fetch(self.sources[piece[0]], *piece, self.at(piece[0])), asked, IN_FLIGHT // most)

    def close(self, names=None):
        """Closes files of the store; all, unless they are named."""
        for name in list(self.sources) if names is None else names:
            self.sources.pop(name).close()

    def give(self):
        """Brings what was made here to the store."""
        made = [name for name in self.files() if name not in self.sizes and not name.endswith(".part")]
        # What says that others are whole comes last.
        seals = [name for name in made if name == "plan.json" or name.endswith(".head")]
        for names in (set(made) - set(seals), seals):
            together(lambda name: self.folder.put(self.at(name), name), sorted(names))
            for name in names:
                self.sizes[name] = os.path.getsize(self.at(name))
                self.whole.add(name)

    def remove(self, folder):
        for name in [name for name in self.sizes if name.startswith(f"{folder}/")]:
            self.folder.remove(name)
            del self.sizes[name]
            os.remove(self.at(name))

    def forget(self, name):
        """What was moved from here goes from the store as well."""
        self.folder.remove(name)

    def files(self):
        for parent, _, names in os.walk(self.path):
            for name in names:
                yield os.path.relpath(os.path.join(parent, name), self.path)

    def has(self, name):
        return name in self.sizes

    def read(self, name):
        if not self.has(name):
            return None
        self.bring([[name]])
        with open(self.at(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        self.lay(name, text)
        self.folder.put(self.at(name), name)

    def lay(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        self.sizes[name] = os.path.getsize(self.at(name))
        self.whole.add(name)
        return self.at(name)


def fetches(pieces):
    """How much is asked for in one, and names with stretches, so much in each."""
    pieces = {name: joined(stretches) for name, stretches in pieces.items()}
    total = sum(end - start for stretches in pieces.values() for start, end in stretches)
    most = min(max(LEAST, total // 4), MOST)
    asked = []
    for name, stretches in pieces.items():
        some, size = [], 0
        for start, end in stretches:
            while start < end:
                stop = min(end, start + most - size)
                some.append((start, stop))
                size += stop - start
                start = stop
                if size == most:
                    asked.append((name, some))
                    some, size = [], 0
        if some:
            asked.append((name, some))
    return most, asked


def joined(stretches):
    found = []
    gap = max(GAP, sum(end - start for start, end in stretches) // GAPS)
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + gap:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return found


def together(work, items, most=REQUESTS):
    """Does something with all items, many at once; answers with what came of each."""
    if len(items) < 2:
        return [work(item) for item in items]
    with concurrent.futures.ThreadPoolExecutor(min(most, REQUESTS)) as pool:
        return list(pool.map(work, items))


def answered(process, place):
    """The lines that the program prints, but for those in which it asks for files: these are fetched."""
    for line in process.stdout:
        if line.startswith(b'{"bring"'):
            place.bring(json.loads(line)["bring"])
            with contextlib.suppress(BrokenPipeError):  # it says itself why it went away
                process.stdin.write(b"\n")
                process.stdin.flush()
        else:
            yield line
