"""Where tasks write the bytes of an archive: into files that all machines see, or as parts of objects.

The driver begins, tasks write pieces in any order, and the driver gives both files their names when all pieces are
there. A piece may be written twice, for its bytes are always the same.

This module goes to workers as it is, so it may need nothing of ours there.
"""

import base64
import contextlib
import errno
import hashlib
import os
import shutil
import uuid

from .objects import StoreError, s3_client

# A task has so much of a file at most, unless it takes several pieces.
MOST_IN_PIECE = 256 << 20
# Less is not worth a task, and no store wants less in a part that is not the last.
LEAST = 8 << 20
MOST_IN_PART = 64 << 20
# S3 numbers no more parts of an object.
MOST_PARTS = 10_000


class Unable(Exception):
    """Why tasks cannot write an archive. The driver still can."""


def pieces(sizes, part, count):
    """About so many stretches of files, each of whole parts: the file, where the stretch begins and ends in it, and
    where it begins in all files, of which one stands behind the other."""
    # Parts are never cut.
    wanted = min(-(-sum(sizes) // count), MOST_IN_PIECE)
    length = max(-(-wanted // part), 1) * part
    found, offset = [], 0
    for file, size in enumerate(sizes):
        found += [{"file": file, "start": start, "end": min(start + length, size), "offset": offset + start}
                  for start in range(0, size, length)]
        offset += size
    return found


def part_length(sizes, count):
    """How long a part of an object is, where about so many tasks upload: a store wants all of a file's but the last to
    have the same length."""
    wanted = max(LEAST, min(MOST_IN_PART, sum(sizes) // count), -(-max(sizes) // MOST_PARTS))
    return -(-wanted >> 20) << 20


class SharedFiles:
    """Files under a path that the driver and all workers see."""

    # Where a file system cannot do what is asked for; anything else is a failure.
    CANNOT = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP,
              errno.ESPIPE, errno.ENOSYS, errno.EFBIG}

    def __init__(self, targets):
        """`targets`: the archive's path, and that of its clusters."""
        self.targets = targets
        self.paths = []

    def begin(self, sizes, count):
        """Makes hidden files of these sizes, and returns how long a part is."""
        for target, size in zip(self.targets, sizes):
            folder, name = os.path.split(target)
            path = os.path.join(folder, f".{name}.{uuid.uuid4().hex}.part")
            self.paths.append(path)
            with self.able(), open(path, "xb") as file:
                file.truncate(size)
        return LEAST

    @contextlib.contextmanager
    def able(self):
        try:
            yield
        except OSError as error:
            if error.errno not in self.CANNOT:
                raise StoreError(f"{self.targets[0]}: {error.strerror}") from error
            raise Unable(f"not all workers can write in {os.path.dirname(self.targets[0])} ({error.strerror}); they can "
                         "where the archive is in a folder that all of them see, or in S3") from error

    def check(self):
        """Whether this machine sees the files: their names are of this build alone."""
        with self.able():
            for path in self.paths:
                open(path, "r+b").close()

    def write(self, piece, path):
        """Writes a piece whose bytes are in a file; what the driver has to know of it."""
        with self.able(), open(path, "rb") as source, open(self.paths[piece["file"]], "r+b") as target:
            target.seek(piece["start"])
            shutil.copyfileobj(source, target, 1 << 20)
            target.flush()
            os.fsync(target.fileno())
        return []

    def end(self, told):
        """Gives the files their names; the one that people open comes last."""
        for path, target in reversed([*zip(self.paths, self.targets)]):
            os.replace(path, target)
        for old in self.targets[len(self.paths):]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(old)

    def abandon(self):
        for path in self.paths:
            with contextlib.suppress(OSError):
                os.remove(path)


class Uploads:
    """Objects of S3, which come in parts."""

    def __init__(self, targets, connection):
        """
        - `targets`: the addresses of the archive and of its clusters, each with its bucket and its key.
        - `connection`: what a client of botocore is made with, and whether it signs.
        """
        self.targets, self.connection = targets, connection
        self.uploads, self.part, self.sizes = [], None, []

    def client(self):
        try:
            return s3_client(self.connection)
        except ImportError as error:
            raise Unable("boto3 is not installed on the driver and on all workers; where it is, tasks upload the "
                         "archive in parts") from error

    @contextlib.contextmanager
    def telling(self, file, kind):
        """What the store refuses is an error of this kind, with the object's address."""
        import botocore.exceptions
        try:
            yield
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
            raise kind(f"{self.targets[file][0]}: {error}") from error

    def begin(self, sizes, count):
        """Begins the uploads, and returns how long a part is."""
        client = self.client()
        self.part, self.sizes = part_length(sizes, count), sizes
        for file, (_, bucket, key) in enumerate(self.targets[:len(sizes)]):
            with self.telling(file, Unable):
                self.uploads.append(client.create_multipart_upload(
                    Bucket=bucket, Key=key, ContentType="application/vnd.pmtiles")["UploadId"])
        return self.part

    def check(self):
        """Whether this machine can upload."""
        self.client()

    def write(self, piece, path):
        """Uploads the parts of a piece whose bytes are in a file: their numbers and what the store calls them."""
        client, parts = self.client(), []
        _, bucket, key = self.targets[piece["file"]]
        with open(path, "rb") as source, self.telling(piece["file"], StoreError):
            for start in range(piece["start"], piece["end"], self.part):
                some = source.read(min(self.part, piece["end"] - start))
                number = start // self.part + 1
                answer = client.upload_part(
                    Bucket=bucket, Key=key, UploadId=self.uploads[piece["file"]], PartNumber=number, Body=some,
                    ContentMD5=base64.b64encode(hashlib.md5(some, usedforsecurity=False).digest()).decode())
                parts.append([number, answer["ETag"]])
        return parts

    def end(self, told):
        """Lets the objects appear; the one that people open comes last."""
        client = self.client()
        for file in reversed(range(len(self.sizes))):
            parts = dict(part for each in told if each["file"] == file for part in each["parts"])
            _, bucket, key = self.targets[file]
            with self.telling(file, StoreError):
                client.complete_multipart_upload(
                    Bucket=bucket, Key=key, UploadId=self.uploads[file], MultipartUpload={
                        "Parts": [{"PartNumber": number, "ETag": parts[number]} for number in sorted(parts)]})
        for file in range(len(self.sizes), len(self.targets)):
            _, bucket, key = self.targets[file]
            with self.telling(file, StoreError):
                client.delete_object(Bucket=bucket, Key=key)

    def abandon(self):
        """Leaves nothing of what was begun. Where the clusters have appeared and their archive has not, they go."""
        if not self.uploads:
            return
        import botocore.exceptions
        client, left = self.client(), []
        for (_, bucket, key), upload in zip(self.targets, self.uploads):
            try:
                client.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=upload)
                left.append(True)
            except botocore.exceptions.ClientError:
                left.append(False)  # it was completed
            except botocore.exceptions.BotoCoreError:
                return  # the store does not answer
        if left == [True, False]:
            with contextlib.suppress(botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
                client.delete_object(Bucket=self.targets[1][1], Key=self.targets[1][2])
