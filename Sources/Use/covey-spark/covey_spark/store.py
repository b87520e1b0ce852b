"""Where the files of a job lie: in a folder that all machines see, or in a store of objects, from which each
machine takes what it needs into a folder of its own.

This module goes to workers as it is, so it may need nothing of ours there.
"""

import base64
import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import tempfile
import uuid

from .objects import MOST, REQUESTS, Objects, S3Objects, s3_client

# So much is asked for at once in all, for that may be in memory beside the program.
IN_FLIGHT = 256 << 20
# So much is fetched along between two stretches: another request would take as long.
GAP = 2 << 20
# What a task is told of files in all, and what it tells of each that it made: where the program begins to read.
MOST_KNOWN = 32 << 20
HEAD = 4 << 10


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

    # What the program is told besides, and what objects are made here.
    words, made = [], None
    # Of so few points no task is worth what it asks for.
    fewest = 0

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

    def learn(self, *_):
        """The same."""

    def cut(self, name, cuts):
        """The same."""

    def give(self, least=0):
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

    def __init__(self, address, system, root, connection=None):
        """`connection`: what a client of botocore is made with that gets there too."""
        self.address, self.system, self.root = address.rstrip("/"), system, root.rstrip("/")
        self.connection = connection

    @contextlib.contextmanager
    def at_hand(self):
        """A folder of this machine that stands for it."""
        with own_folder() as path:
            yield Scratch(self.address, self.objects(), path)

    def objects(self):
        if self.connection:
            try:
                return S3Objects(self.address, self.system, self.root, s3_client(self.connection))
            except ImportError:
                pass  # Arrow does the same with more requests
        return Objects(self.address, self.system, self.root)


def archive_files(path):
    """The files that an archive consists of: clusters have one of their own beside PMTiles."""
    stem, ending = os.path.splitext(path)
    return [path, f"{stem}.clusters{ending}"] if ending == ".pmtiles" else [path]


class Scratch(Place):
    """A folder of this machine that stands for one in a store. Its files are as long as they are there, and empty
    until the program asks for them.
    """

    words = ["--ask"]
    fewest = 4_000_000

    def __init__(self, address, objects, path):
        self.address, self.objects, self.path = address, objects, path
        # What is in each object of the store, and for each file in which it is.
        self.packs, self.places = {}, {}
        # Of all files; of what is here as a whole; and of what else is here the stretches.
        self.sizes, self.whole, self.here = {}, set(), {}
        # The objects that were made here, and the heads of their files.
        self.made = {"packs": {}, "heads": []}
        # Where files that are made here are cut, by their names in the job.
        self.cuts = {}

    def told(self, words):
        """What the program says, with addresses that people know."""
        return words.replace(self.path, self.address)

    def refresh(self):
        """Learns from the store what is there."""
        new = [(name, size) for name, size in self.objects.sizes().items() if name not in self.packs]
        self.learn(dict(zip((name for name, _ in new), together(lambda each: self.objects.files(*each), new))))

    def known(self):
        """What is there, for other machines, and bytes that the program has asked for here: it asks for many of them
        wherever it runs."""
        here = {name: [(0, self.sizes[name])] for name in self.whole if os.path.exists(self.at(name))}
        found = [(end - start, name, start) for name, stretches in {**self.here, **here}.items()
                 for start, end in stretches
                 # The heads of parts are read until there is a plan.
                 if not name.startswith("parts/") or end - start <= HEAD or not self.has("plan.json") and name.endswith(".head")]
        bytes, left = [], MOST_KNOWN
        for size, name, start in sorted(set(found)):
            left -= size
            if left < 0:
                break
            with open(self.at(name), "rb") as file:
                file.seek(start)
                bytes.append((name, start, file.read(size)))
        return dict(self.packs), bytes

    def hear(self, made):
        """Learns what a task made."""
        self.learn(made["packs"], [(name, start, base64.b64decode(some)) for name, start, some in made["heads"]])

    def learn(self, packs, bytes=()):
        """Puts a file that is as long in the place of each that is in some objects, with such bytes as are known."""
        for pack, files in packs.items():
            if pack not in self.packs:
                self.packs[pack] = files
                sizes = {}
                for name, first, _, length in files:
                    sizes[name] = max(sizes.get(name, 0), first + length)
                for name, size in sizes.items():
                    self.lay_out(name, pack, size)
        for name, start, some in bytes:
            with open(self.at(name), "r+b") as file:
                file.seek(start)
                file.write(some)
            self.here.setdefault(name, []).append((start, start + len(some)))

    def lay_out(self, name, pack, size):
        # What was made twice is the same.
        if name in self.sizes:
            return
        self.sizes[name], self.places[name] = size, pack
        if os.path.exists(self.at(name)):
            self.whole.add(name)
            return
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "wb") as file:
            file.truncate(size)

    def bring(self, wanted):
        """Fetches files, each a name, or stretches of them, with their beginnings and lengths."""
        pieces = {}
        for name, *stretch in wanted:
            # What is not in the store has been made here.
            if name not in self.places or name in self.whole:
                continue
            pack, size = self.places[name], self.sizes[name]
            start, length = stretch or (0, size)
            for start, end in without(start, min(start + length, size), self.here.get(name, ())):
                pieces.setdefault(pack, []).extend(
                    (place + max(start - first, 0), place + min(end - first, length))
                    for own, first, place, length in self.packs[pack]
                    if own == name and first < end and start < first + length)
        asked = fetches(pieces)
        together(self.fetch, asked, IN_FLIGHT // max((end - start for _, start, end in asked), default=1))
        for pack, start, end in asked:
            for name, first, last, _ in self.files_in(pack, start, end):
                self.here.setdefault(name, []).append((first, last))
        self.whole.update(name for name, *stretch in wanted if not stretch)

    def files_in(self, pack, start, end):
        """The stretches of files that are some bytes of an object, and where each begins there."""
        for name, first, place, length in self.packs[pack]:
            if place < end and start < place + length and self.places.get(name) == pack and name not in self.whole:
                own = max(start, place)
                yield name, first + own - place, first + min(end, place + length) - place, own

    def fetch(self, asked):
        """Writes bytes of an object to where they belong."""
        pack, start, end = asked
        for some in self.objects.read(pack, start, end):
            for name, first, last, place in self.files_in(pack, start, start + len(some)):
                with open(self.at(name), "r+b") as file:
                    file.seek(first)
                    file.write(some[place - start:place - start + last - first])
            start += len(some)

    def cut(self, name, cuts):
        """Learns where a file is cut that was made here: ranks, and the beginnings of what has them."""
        self.cuts[name] = cuts

    def give(self, least=0):
        """Brings what was made here to the store, where it is so much at least."""
        made = [name for name in self.files() if name not in self.sizes and not name.endswith(".part")]
        if not made or sum(os.path.getsize(self.at(name)) for name in made) < least:
            return
        # Files of one kind are read together, in the order in which they were made.
        made.sort(key=lambda name: (os.path.splitext(name)[1], os.stat(self.at(name)).st_mtime_ns, name))
        pack, files = self.objects.pack([(name, self.at(name), self.cuts.get(own_name(name), ())) for name in made])
        self.made["packs"][pack] = files
        for name in made:
            with open(self.at(name), "rb") as file:
                self.made["heads"].append((name, 0, base64.b64encode(file.read(HEAD)).decode()))
        self.learn({pack: files})

    def remove(self, folder):
        """Removes a folder."""
        for name in [name for name in self.sizes if name.startswith(f"{folder}/")]:
            os.remove(self.at(name))
            self.forget(name)

    def forget(self, name):
        """What was moved from here goes from the store as well: its object, where nothing else is in that."""
        del self.sizes[name]
        self.whole.discard(name)
        self.here.pop(name, None)
        pack = self.places.pop(name)
        if not any(self.places.get(name) == pack for name, *_ in self.packs[pack]):
            self.objects.remove(pack)
            del self.packs[pack]

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
        """Writes a file that is an object of its own, so that another may take its place."""
        self.lay(name, text)
        with open(self.at(name), "rb") as source:
            self.objects.put(name, source)
        self.packs[name], self.places[name] = [(name, 0, 0, self.sizes[name])], name

    def lay(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        self.sizes[name] = os.path.getsize(self.at(name))
        self.whole.add(name)
        return self.at(name)


def own_name(name):
    """The name of a file without the folder of its job."""
    return "/".join(name.split("/")[-2:])


def without(start, end, others):
    """What is left of a stretch without others."""
    for first, last in sorted(others):
        if first < end and start < last:
            if start < first:
                yield start, first
            start = last
    if start < end:
        yield start, end


def fetches(pieces):
    """What is asked for of objects in one: what is near to each other, and not too much."""
    asked = []
    for pack, stretches in pieces.items():
        for start, end in joined(stretches):
            asked += [(pack, first, min(first + MOST, end)) for first in range(start, end, MOST)]
    return asked


def joined(stretches):
    found = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + GAP:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([start, end])
    return found


def together(work, items, most=REQUESTS):
    """Does something with all items, many at once; answers with what came of each."""
    if len(items) < 2:
        return [work(item) for item in items]
    with concurrent.futures.ThreadPoolExecutor(max(1, min(most, REQUESTS))) as pool:
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
