"""The objects of a store, and how many files of a job lie in one of them, so that few requests bring many.

A pack is an object of files, one behind the other, and behind them the ends of all, which hold what many read of each.
Files may also be cut, so that what is read together of all lies together. Then comes a list in JSON of what is where, and in the last 8 bytes its length. So it appears whole or not at all, and
says itself what is in it.

This module goes to workers as it is, so it may need nothing of ours there.
"""

import bisect
import contextlib
import io
import json
import os
import uuid

# So many requests are out at once.
REQUESTS = 16
# So much is asked for in one.
MOST = 64 << 20
# So much is brought to a store in one, where Arrow does it; and what S3 takes in one at most.
PUT = 8 << 20
MOST_PUT = 5 << 30
# Most lists of packs are no longer.
LIST = 64 << 10
# So long is the end of a file at least, and such a share of it.
END = 64 << 10
ENDS = 32
# So often what breaks off is asked for.
TRIES = 5
# In these an object appears when all of it has come.
KEYED = ("s3", "gcs", "abfs")


class StoreError(RuntimeError):
    """What a store refused, with the address that it is about."""


class Joined(io.RawIOBase):
    """Stretches of files, one behind the other, and some more at the end, read as one file."""

    def __init__(self, stretches, end=b""):
        """`stretches`: of each the path of its file, where it begins there, and its length."""
        self.stretches, self.end, self.position, self.starts = stretches, end, 0, [0]
        for _, _, length in stretches:
            self.starts.append(self.starts[-1] + length)
        self.size = self.starts[-1] + len(end)
        self.file, self.open = None, None

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
            some = self.some(len(buffer) - done)
            buffer[done:done + len(some)] = some
            done += len(some)
            self.position += len(some)
        return done

    def some(self, most):
        if self.position >= self.starts[-1]:
            start = self.position - self.starts[-1]
            return self.end[start:start + most]
        number = bisect.bisect(self.starts, self.position) - 1
        path, first, _ = self.stretches[number]
        if self.open != path:
            self.close_file()
            self.open, self.file = path, open(path, "rb")
        self.file.seek(first + self.position - self.starts[number])
        found = self.file.read(min(most, self.starts[number + 1] - self.position))
        if not found:
            raise OSError(f"{path}: it became shorter")
        return found

    def close_file(self):
        if self.file:
            self.file.close()
        self.file = self.open = None

    def close(self):
        self.close_file()
        super().close()


def put(system, source, key):
    """Brings the bytes of a file that is open to a file system, where they appear whole."""
    target = key
    if system.type_name not in KEYED:
        target = f"{key}.{uuid.uuid4().hex}.part"
        system.create_dir(key.rsplit("/", 1)[0], recursive=True)
    try:
        with system.open_output_stream(target) as stream:
            while some := source.read(PUT):
                stream.write(some)
    except BaseException:
        # A stream cannot be given up: it leaves what it has.
        with contextlib.suppress(Exception):
            system.delete_file(target)
        raise
    if target != key:
        system.move(target, key)


class Objects:
    """The objects in a folder of a store, through Arrow. It asks for the size of each that it opens."""

    def __init__(self, address, system, root):
        self.address, self.system, self.root = address, system, root

    @contextlib.contextmanager
    def telling(self, name):
        """What the store refuses is told with the object's address."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            raise StoreError(f"{self.address}/{name}: {error}") from error

    def key(self, name):
        return f"{self.root}/{name}"

    def sizes(self):
        """The sizes of all objects by their names."""
        from pyarrow import fs
        with self.telling(""):
            found = self.system.get_file_info(fs.FileSelector(self.root, allow_not_found=True, recursive=True))
        return {info.path[len(self.root) + 1:]: info.size for info in found
                if info.type == fs.FileType.File and not info.path.endswith(".part")}

    def read(self, name, start, end):
        """Some bytes of an object, as they come."""
        with self.telling(name):
            for some in self.asked(name, start, end):
                yield some
                start += len(some)
            if start < end:
                raise OSError(f"it ends before {end} bytes")

    def asked(self, name, start, end):
        with self.system.open_input_file(self.key(name)) as source:
            yield source.read_at(end - start, start)

    def put(self, name, source):
        """Brings the bytes of a file that is open."""
        with self.telling(name):
            put(self.system, source, self.key(name))

    def remove(self, name):
        with self.telling(name):
            self.system.delete_file(self.key(name))

    def files(self, name, size):
        """The stretches of files in an object: the name of each, where it begins in the file, where in the object,
        and its length."""
        if not name.startswith("packs/"):
            return [(name, 0, 0, size)]
        start = max(0, size - LIST)
        tail = b"".join(self.read(name, start, size))
        length = int.from_bytes(tail[-8:], "little")
        with self.telling(name):
            if not 8 < length + 8 <= size:
                raise OSError("it is damaged")
            if length + 8 > len(tail):
                tail = b"".join(self.read(name, size - length - 8, size))
            return [tuple(file) for file in json.loads(tail[-8 - length:-8])]

    def pack(self, files):
        """Brings files together; the name of each, its path, and where it is cut: ranks, which ascend, and the beginnings
        of what has them. The object's name, and what is in it."""
        bodies, ends = [], []
        for file, path, cuts in files:
            size = os.path.getsize(path)
            end = size - min(size, max(END, size // ENDS))
            starts = [(0, 0), *(cut for cut in cuts if cut[1] < end)]
            for (rank, first), last in zip(starts, [*(start for _, start in starts[1:]), end]):
                bodies.append((rank, file, path, first, last - first))
            ends.append((0, file, path, end, size - end))
        bodies = sorted((body for body in bodies if body[4]), key=lambda body: body[0])
        stretches = [stretch[1:] for stretch in bodies + ends]
        name, found, start = f"packs/{uuid.uuid4().hex}", [], 0
        for file, _, first, length in stretches:
            found.append((file, first, start, length))
            start += length
        text = json.dumps(found).encode()
        with Joined([stretch[1:] for stretch in stretches], text + len(text).to_bytes(8, "little")) as source:
            self.put(name, source)
        return name, found


class S3Objects(Objects):
    """The same through botocore: an object is asked for bytes at once, and takes all bytes at once."""

    def __init__(self, address, system, root, client):
        super().__init__(address, system, root)
        self.client = client
        self.bucket, _, self.folder = root.partition("/")

    def path(self, name):
        return {"Bucket": self.bucket, "Key": f"{self.folder}/{name}".lstrip("/")}

    def asked(self, name, start, end):
        from botocore.exceptions import BotoCoreError
        for left in reversed(range(TRIES)):
            try:
                body = self.client.get_object(**self.path(name), Range=f"bytes={start}-{end - 1}")["Body"]
                for some in body.iter_chunks(1 << 20):
                    yield some
                    start += len(some)
                return
            except BotoCoreError:
                if not left:
                    raise

    def put(self, name, source):
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        if size > MOST_PUT:
            super().put(name, source)
            return
        with self.telling(name):
            self.client.put_object(**self.path(name), Body=source, ContentLength=size)


def s3_client(connection):
    """A client of botocore, of what it is made with."""
    import botocore.session
    from botocore.config import Config
    from botocore import UNSIGNED
    words, how = dict(connection["client"]), dict(connection["config"])
    if connection["anonymous"]:
        how["signature_version"] = UNSIGNED
    # Sums that not every store knows are left out.
    sums = {"request_checksum_calculation": "when_required", "response_checksum_validation": "when_required"}
    how.update(retries={"mode": "standard", "max_attempts": 5}, max_pool_connections=REQUESTS)
    try:
        config = Config(**how, **sums)
    except TypeError:  # an older one, which adds none
        config = Config(**how)
    return botocore.session.get_session().create_client("s3", config=config, **words)
