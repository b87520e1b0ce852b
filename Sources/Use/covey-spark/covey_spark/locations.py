"""The locations of a job and of its archive: on file systems or in stores."""

import contextlib
import os
import re
import tempfile

from covey import CoveyError

from .connections import ArrowStore, connect, scheme, try_botocore_connection
from .outputs import SharedFiles, TasksCannotWrite
from .store import SharedFolder, StoredFolder, archive_files


def local_path(address):
    """The absolute path of an address on this machine's file systems; None for all other addresses."""
    address = os.fspath(address)
    if scheme(address) is None:
        return os.path.abspath(address)
    if scheme(address) == "file":
        return os.path.abspath(re.sub(r"^file:/+", "/", address, flags=re.IGNORECASE))
    return None


def job_folder(job, storage, cluster):
    """The job's folder, and whether the build removes it at its end."""
    if job is None:
        if not cluster.is_local:
            raise CoveyError("on a cluster a job needs a folder that all workers see, or one in a store: "
                             "name it with job=, as job=\"/shared/jobs/places\" or job=\"s3a://maps/jobs/places\"")
        return SharedFolder(tempfile.mkdtemp(prefix="covey-spark-")), True
    path = local_path(job)
    if path is None:
        system, root = connect(os.fspath(job), storage, cluster.hadoop_setting)
        return StoredFolder(os.fspath(job), system, root, try_botocore_connection(system)), False
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise CoveyError(f"{path}: {error.strerror}\nname another folder for the job") from error
    return SharedFolder(path), False


class Archive:
    """An archive on a file system or in a store."""

    def __init__(self, out, folder, storage, cluster):
        self.out = os.fspath(out)
        self.path = local_path(out)
        self.store = None
        if self.path is None:
            # Arrow is used if it reaches the job in a store of the same kind, or if its settings are given. Otherwise
            # Hadoop is preferred, because its settings are those of the tables.
            uses_arrow = storage is not None or scheme(self.out) == scheme(folder.address) != "hdfs" \
                or not cluster.hadoop_supports(scheme(self.out))
            self.store = ArrowStore(storage, cluster.hadoop_setting) if uses_arrow else cluster

    @property
    def name(self):
        return self.out.rstrip("/").rsplit("/", 1)[-1]

    @property
    def is_file(self):
        return self.name.endswith((".pmtiles", ".mbtiles")) and not self.out.endswith("/")

    @property
    def is_pmtiles(self):
        return self.is_file and self.name.endswith(".pmtiles")

    def task_output(self):
        """Where tasks write the archive. Raises `TasksCannotWrite` if they cannot."""
        if self.path is not None:
            return SharedFiles(archive_files(self.path))
        if not isinstance(self.store, ArrowStore):
            raise TasksCannotWrite(
                f"Hadoop uploads an archive to {scheme(self.out)}:// as a whole; tasks upload it to S3 in parts if "
                "storage= says how to connect, or if the job is in S3 too")
        return self.store.uploads(archive_files(self.out))

    def check(self, force):
        """Raises an error if the archive cannot be written, or exists and may not be replaced."""
        if not self.is_file and not self.out.endswith("/") and not (self.path and os.path.isdir(self.path)):
            raise CoveyError(f"{self.out}: the name tells no kind of archive\nend it in .pmtiles, .mbtiles, or / for a folder")
        if self.path and not os.path.isdir(os.path.dirname(self.path)):
            raise CoveyError(f"{os.path.dirname(self.path)}: is no folder\nmake it, or name another archive")
        for each in archive_files(self.path or self.out.rstrip("/")):
            # With force, too: a store that refuses requests is reported before the build.
            exists = self.store.exists(each) if self.store else os.path.exists(each)
            if exists and not force:
                raise CoveyError(f"{each}: exists already\nuse force=True to replace it, or name another")

    @contextlib.contextmanager
    def driver_output(self, files):
        """The path that the driver writes the archive to. An archive for a store is uploaded afterwards."""
        # The program writes a folder if the name ends in /.
        end = "/" if self.out.endswith("/") else ""
        if self.path is not None:
            yield self.path + end
            return
        address, name = self.out.rstrip("/").rsplit("/", 1)[0], self.name
        with tempfile.TemporaryDirectory(dir=files.path) as temporary:
            path = os.path.join(temporary, name)
            yield path + end
            # The archive is uploaded last, because readers open it.
            for each in reversed(archive_files(path)):
                if os.path.exists(each):
                    self.store.upload(each, f"{address}/{os.path.basename(each)}")
