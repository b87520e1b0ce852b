"""The objects of a job in a store. Most of them are packs, each of which holds many files.

A pack holds ranges of files one after another, and the tails of files after these, because readers fetch the tails
together. A file may be cut, so that ranges that are read together are next to each other. A manifest in JSON follows,
and the last 8 bytes of the pack are its length. So a pack appears whole or not at all, and describes itself.

Spark sends this module to workers. It imports no module of Covey.
"""

import bisect
import contextlib
import io
import json
import os
import uuid

# At most so many requests run at the same time.
MAX_REQUESTS = 16
# A range request fetches at most so many bytes.
MAX_RANGE = 256 << 20
# Arrow uploads with a buffer of this size. S3 takes at most MAX_PUT bytes in one request.
UPLOAD_BUFFER = 8 << 20
MAX_PUT = 5 << 30
# The first request for a manifest fetches so many bytes; most manifests are shorter.
MANIFEST_READ = 64 << 10
# The tail of a file is its last block, and what says where that begins: a number of 64 bits, END bytes before the end.
END = 24
# Files that are read as a whole have no tails of their own, by the ends of their names.
WHOLE = (".up", ".border", ".head", ".blocks", ".members")
# A range request whose connection breaks is made at most so many times.
ATTEMPTS = 5
# In these file systems of Arrow an object appears only when its upload is complete.
ATOMIC = ("s3", "gcs", "abfs")


class StoreError(RuntimeError):
    """The store's error message, with the address of the object."""


def start_of_tail(name, path):
    """Where the tail of a file begins; its end if it has none."""
    size = os.path.getsize(path)
    if size < END or name.endswith(WHOLE):
        return size
    with open(path, "rb") as file:
        file.seek(size - END)
        start = int.from_bytes(file.read(8), "little")
    return start if start < size else size


class JoinedRanges(io.RawIOBase):
    """Reads ranges of several files, and then some bytes, as one file."""

    def __init__(self, ranges, end=b""):
        """`ranges`: (path, offset, length) of each range."""
        self.ranges, self.end, self.position, self.starts = ranges, end, 0, [0]
        for _, _, length in ranges:
            self.starts.append(self.starts[-1] + length)
        self.size = self.starts[-1] + len(end)
        self.file, self.open_path = None, None

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.position

    def seek(self, offset, whence=os.SEEK_SET):
        self.position = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self.position, os.SEEK_END: self.size}[whence]
        return self.position

    def readinto(self, buffer):
        buffer = memoryview(buffer)[:max(0, self.size - self.position)]
        done = 0
        while done < len(buffer):
            chunk = self.read_chunk(len(buffer) - done)
            buffer[done:done + len(chunk)] = chunk
            done += len(chunk)
            self.position += len(chunk)
        return done

    def read_chunk(self, limit):
        """Reads at most `limit` bytes, all from one range."""
        if self.position >= self.starts[-1]:
            start = self.position - self.starts[-1]
            return self.end[start:start + limit]
        index = bisect.bisect(self.starts, self.position) - 1
        path, offset, _ = self.ranges[index]
        if self.open_path != path:
            self.close_file()
            self.open_path, self.file = path, open(path, "rb")
        self.file.seek(offset + self.position - self.starts[index])
        chunk = self.file.read(min(limit, self.starts[index + 1] - self.position))
        if not chunk:
            raise OSError(f"{path}: it became shorter")
        return chunk

    def close_file(self):
        if self.file:
            self.file.close()
        self.file = self.open_path = None

    def close(self):
        self.close_file()
        super().close()


def put(system, source, key):
    """Uploads an open file to a file system of Arrow. The target appears whole or not at all."""
    target = key
    if system.type_name not in ATOMIC:
        target = f"{key}.{uuid.uuid4().hex}.part"
        system.create_dir(key.rsplit("/", 1)[0], recursive=True)
    try:
        with system.open_output_stream(target) as stream:
            while chunk := source.read(UPLOAD_BUFFER):
                stream.write(chunk)
    except BaseException:
        # Arrow cannot abort an upload: closing the stream completes a part of it.
        with contextlib.suppress(Exception):
            system.delete_file(target)
        raise
    if target != key:
        system.move(target, key)


class Objects:
    """The objects under a prefix of a store, through Arrow. Arrow requests the size of each object that it opens."""

    # Whether a range is in memory as a whole while it is fetched.
    holds_ranges = True

    def __init__(self, address, system, root):
        self.address, self.system, self.root = address, system, root

    @contextlib.contextmanager
    def errors_of(self, name):
        """Raises the store's errors as a `StoreError` with the object's address."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            raise StoreError(f"{self.address}/{name}: {error}") from error

    def key(self, name):
        return f"{self.root}/{name}"

    def sizes(self):
        """The size of each object by its name."""
        from pyarrow import fs
        with self.errors_of(""):
            found = self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True, recursive=True))
        return {info.path[len(self.root) + 1:]: info.size for info in found
                if info.type == fs.FileType.File and not info.path.endswith(".part")}

    def read(self, name, start, end):
        """Yields the bytes of a range of an object in chunks."""
        with self.errors_of(name):
            for chunk in self.request_range(name, start, end):
                yield chunk
                start += len(chunk)
            if start < end:
                raise OSError(f"it ends before {end} bytes")

    def request_range(self, name, start, end):
        with self.system.open_input_file(self.key(name)) as source:
            yield source.read_at(end - start, start)

    def put(self, name, source):
        """Uploads an open file as an object."""
        with self.errors_of(name):
            put(self.system, source, self.key(name))

    def remove(self, name):
        with self.errors_of(name):
            self.system.delete_file(self.key(name))

    def manifest(self, name, size):
        """The ranges of files in an object: (file, offset in the file, offset in the object, length) of each."""
        if not name.startswith("packs/"):
            return [(name, 0, 0, size)]
        start = max(0, size - MANIFEST_READ)
        tail = b"".join(self.read(name, start, size))
        length = int.from_bytes(tail[-8:], "little")
        with self.errors_of(name):
            if not 8 < length + 8 <= size:
                raise OSError("it is damaged")
            if length + 8 > len(tail):
                tail = b"".join(self.read(name, size - length - 8, size))
            return [tuple(entry) for entry in json.loads(tail[-8 - length:-8])]

    def put_pack(self, files):
        """Uploads files as one pack, and returns the pack's name and manifest.

        `files`: (name, path, cuts) of each file. The cuts of a file are (rank, offset) in ascending order: at each
        offset a range with that rank begins. The pack holds the ranges of all files in the order of their ranks.
        """
        bodies, tails = [], []
        for file, path, cuts in files:
            size = os.path.getsize(path)
            end = start_of_tail(file, path)
            starts = [(0, 0), *(cut for cut in cuts if cut[1] < end)]
            for (rank, start), stop in zip(starts, [*(start for _, start in starts[1:]), end]):
                bodies.append((rank, file, path, start, stop - start))
            if end < size:
                tails.append((0, file, path, end, size - end))
        bodies = sorted((body for body in bodies if body[4]), key=lambda body: body[0])
        ranges = [entry[1:] for entry in bodies + tails]
        name, manifest, position = f"packs/{uuid.uuid4().hex}", [], 0
        for file, _, start, length in ranges:
            manifest.append((file, start, position, length))
            position += length
        text = json.dumps(manifest).encode()
        with JoinedRanges([entry[1:] for entry in ranges], text + len(text).to_bytes(8, "little")) as source:
            self.put(name, source)
        return name, manifest


class S3Objects(Objects):
    """The same through botocore, which reads a range with one request and uploads an object with one."""

    holds_ranges = False

    def __init__(self, address, system, root, client):
        super().__init__(address, system, root)
        self.client = client
        self.bucket, _, self.folder = root.partition("/")

    def location(self, name):
        return {"Bucket": self.bucket, "Key": f"{self.folder}/{name}".lstrip("/")}

    def request_range(self, name, start, end):
        from botocore.exceptions import BotoCoreError
        for attempts_left in reversed(range(ATTEMPTS)):
            try:
                body = self.client.get_object(**self.location(name), Range=f"bytes={start}-{end - 1}")["Body"]
                for chunk in body.iter_chunks(1 << 20):
                    yield chunk
                    start += len(chunk)
                return
            except BotoCoreError:
                if not attempts_left:
                    raise

    def put(self, name, source):
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        if size > MAX_PUT:
            super().put(name, source)
            return
        with self.errors_of(name):
            self.client.put_object(**self.location(name), Body=source, ContentLength=size)


def s3_client(connection):
    """A client of botocore, made from what `connections.botocore_connection` returns."""
    import botocore.session
    from botocore.config import Config
    from botocore import UNSIGNED
    arguments, config = dict(connection["client"]), dict(connection["config"])
    if connection["anonymous"]:
        config["signature_version"] = UNSIGNED
    config.update(retries={"mode": "standard", "max_attempts": 5}, max_pool_connections=MAX_REQUESTS)
    # Not every store supports the checksums that newer versions of botocore add.
    checksums = {"request_checksum_calculation": "when_required", "response_checksum_validation": "when_required"}
    try:
        config = Config(**config, **checksums)
    except TypeError:  # an older version, which adds no checksums
        config = Config(**config)
    return botocore.session.get_session().create_client("s3", config=config, **arguments)
