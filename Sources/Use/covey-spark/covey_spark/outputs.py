"""Where tasks write the bytes of an archive: into files that all machines see, or as parts of uploads to S3.

The driver begins the files or uploads, tasks write pieces in any order, and the driver completes the files when all
pieces are written. Two tasks may write the same piece, because its bytes are always the same.

Spark sends this module to workers. Of Covey it imports only `objects`, which Spark sends too.
"""

import base64
import contextlib
import errno
import hashlib
import os
import shutil
import uuid

from .objects import StoreError, s3_client

# A piece has at most so many bytes.
MAX_PIECE = 256 << 20
# A part has at least MIN_PART bytes, the least that is worth a task, and at most MAX_PART bytes unless the upload would
# have more parts than S3 takes.
MIN_PART = 8 << 20
MAX_PART = 128 << 20
MAX_PARTS = 10_000


class TasksCannotWrite(Exception):
    """Why tasks cannot write an archive. The driver can still merge it alone."""


def pieces(sizes, part, count):
    """About `count` ranges of files with these sizes, each of whole parts: the index of the file, where the range
    starts and ends in it, and its offset in all files, one after another."""
    wanted = min(-(-sum(sizes) // count), MAX_PIECE)
    length = max(-(-wanted // part), 1) * part
    found, offset = [], 0
    for file, size in enumerate(sizes):
        found += [{"file": file, "start": start, "end": min(start + length, size), "offset": offset + start}
                  for start in range(0, size, length)]
        offset += size
    return found


def part_length(sizes, count):
    """The length of an upload's parts for about `count` tasks. All parts of a file but the last have the same length."""
    wanted = max(MIN_PART, min(MAX_PART, sum(sizes) // count), -(-max(sizes) // MAX_PARTS))
    return -(-wanted >> 20) << 20


class SharedFiles:
    """Files under a path that the driver and all workers see."""

    # Errors of a worker that does not see the folder, or of a file system that cannot write into the middle of a file.
    # All others are failures.
    CANNOT_WRITE = {errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP,
                    errno.ESPIPE, errno.ENOSYS, errno.EFBIG}

    def __init__(self, targets):
        """`targets`: the paths of the archive and of its clusters."""
        self.targets = targets
        self.paths = []

    def begin(self, sizes, count):
        """Creates hidden files of these sizes, and returns the length of a part."""
        for target, size in zip(self.targets, sizes):
            folder, name = os.path.split(target)
            path = os.path.join(folder, f".{name}.{uuid.uuid4().hex}.part")
            self.paths.append(path)
            with self.checking_access(), open(path, "xb") as file:
                file.truncate(size)
        return MIN_PART

    @contextlib.contextmanager
    def checking_access(self):
        """Raises errors as `TasksCannotWrite` or as `StoreError`."""
        try:
            yield
        except OSError as error:
            if error.errno not in self.CANNOT_WRITE:
                raise StoreError(f"{self.targets[0]}: {error.strerror}") from error
            raise TasksCannotWrite(f"not all workers can write in {os.path.dirname(self.targets[0])} ({error.strerror}); they "
                                   "can where the archive is in a folder that all of them see, or in S3") from error

    def check(self):
        """Checks that this machine can write to the files."""
        with self.checking_access():
            for path in self.paths:
                open(path, "r+b").close()

    def write(self, piece, path):
        """Writes a piece from a file with its bytes. The driver needs to know no parts."""
        with self.checking_access(), open(path, "rb") as source, open(self.paths[piece["file"]], "r+b") as target:
            target.seek(piece["start"])
            shutil.copyfileobj(source, target, 1 << 20)
            target.flush()
            os.fsync(target.fileno())
        return []

    def complete(self, written):
        """Renames the files to their targets: the archive last, because readers open it."""
        for path, target in reversed([*zip(self.paths, self.targets)]):
            os.replace(path, target)
        for old in self.targets[len(self.paths):]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(old)

    def abort(self):
        """Removes the hidden files."""
        for path in self.paths:
            with contextlib.suppress(OSError):
                os.remove(path)


class Uploads:
    """Multipart uploads to S3."""

    def __init__(self, targets, connection):
        """
        - `targets`: (address, bucket, key) of the archive and of its clusters.
        - `connection`: what `connections.botocore_connection` returns.
        """
        self.targets, self.connection = targets, connection
        self.uploads, self.part, self.sizes = [], None, []

    def client(self):
        try:
            return s3_client(self.connection)
        except ImportError as error:
            raise TasksCannotWrite("boto3 is not installed on the driver and on all workers; where it is, tasks upload the "
                                   "archive in parts") from error

    @contextlib.contextmanager
    def errors_of(self, file, kind):
        """Raises the store's errors as errors of this kind with the object's address."""
        import botocore.exceptions
        try:
            yield
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
            raise kind(f"{self.targets[file][0]}: {error}") from error

    def begin(self, sizes, count):
        """Begins the uploads, and returns the length of a part."""
        client = self.client()
        self.part, self.sizes = part_length(sizes, count), sizes
        for file, (_, bucket, key) in enumerate(self.targets[:len(sizes)]):
            with self.errors_of(file, TasksCannotWrite):
                self.uploads.append(client.create_multipart_upload(
                    Bucket=bucket, Key=key, ContentType="application/vnd.pmtiles")["UploadId"])
        return self.part

    def check(self):
        """Checks that this machine can upload."""
        self.client()

    def write(self, piece, path):
        """Uploads the parts of a piece from a file with its bytes; returns the number and the ETag of each part."""
        client, parts = self.client(), []
        _, bucket, key = self.targets[piece["file"]]
        with open(path, "rb") as source, self.errors_of(piece["file"], StoreError):
            for start in range(piece["start"], piece["end"], self.part):
                body = source.read(min(self.part, piece["end"] - start))
                number = start // self.part + 1
                response = client.upload_part(
                    Bucket=bucket, Key=key, UploadId=self.uploads[piece["file"]], PartNumber=number, Body=body,
                    ContentMD5=base64.b64encode(hashlib.md5(body, usedforsecurity=False).digest()).decode())
                parts.append([number, response["ETag"]])
        return parts

    def complete(self, written):
        """Completes the uploads: the archive last, because readers open it.

        `written`: the pieces, with what `write` returned for each.
        """
        client = self.client()
        for file in reversed(range(len(self.sizes))):
            parts = dict(part for piece in written if piece["file"] == file for part in piece["parts"])
            _, bucket, key = self.targets[file]
            with self.errors_of(file, StoreError):
                client.complete_multipart_upload(
                    Bucket=bucket, Key=key, UploadId=self.uploads[file], MultipartUpload={
                        "Parts": [{"PartNumber": number, "ETag": parts[number]} for number in sorted(parts)]})
        for file in range(len(self.sizes), len(self.targets)):
            _, bucket, key = self.targets[file]
            with self.errors_of(file, StoreError):
                client.delete_object(Bucket=bucket, Key=key)

    def abort(self):
        """Aborts the uploads. If the clusters are complete and their archive is not, the clusters are deleted."""
        if not self.uploads:
            return
        import botocore.exceptions
        client, aborted = self.client(), []
        for (_, bucket, key), upload in zip(self.targets, self.uploads):
            try:
                client.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=upload)
                aborted.append(True)
            except botocore.exceptions.ClientError:
                aborted.append(False)  # it was completed
            except botocore.exceptions.BotoCoreError:
                return  # the store does not answer
        if aborted == [True, False]:
            with contextlib.suppress(botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
                client.delete_object(Bucket=self.targets[1][1], Key=self.targets[1][2])
