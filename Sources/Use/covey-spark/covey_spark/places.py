"""Where a job and its archive lie."""

import contextlib
import os
import re
import tempfile

from covey import CoveyError

from .connections import ArrowStore, connect, direct, scheme
from .outputs import SharedFiles, Unable
from .store import SharedFolder, StoredFolder, archive_files


def local(place):
    """The path of a place on this machine's file systems; nil of any other."""
    place = os.fspath(place)
    if scheme(place) is None:
        return os.path.abspath(place)
    if scheme(place) == "file":
        return os.path.abspath(re.sub(r"^file:/+", "/", place, flags=re.IGNORECASE))
    return None


def folder(job, storage, cluster):
    """The job's folder, and whether it goes away with the build."""
    if job is None:
        if not cluster.is_local:
            raise CoveyError("on a cluster a job needs a folder that all workers see, or one in a store: "
                             "name it with job=, as job=\"/shared/jobs/places\" or job=\"s3a://maps/jobs/places\"")
        return SharedFolder(tempfile.mkdtemp(prefix="covey-spark-")), True
    path = local(job)
    if path is None:
        system, root = connect(os.fspath(job), storage, cluster.hadoop_setting)
        return StoredFolder(os.fspath(job), system, root, direct(system)), False
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise CoveyError(f"{path}: {error.strerror}\nname another folder for the job") from error
    return SharedFolder(path), False


class Archive:
    """An archive, here or in a store."""

    def __init__(self, out, folder, storage, cluster):
        self.out = os.fspath(out)
        self.path = local(out)
        self.store = None
        if self.path is None:
            # Hadoop's way is the one that people have set up for their tables; Arrow's has served the job.
            is_arrows = storage is not None or scheme(self.out) == scheme(folder.address) != "hdfs" \
                or not cluster.hadoop_knows(scheme(self.out))
            self.store = ArrowStore(storage, cluster.hadoop_setting) if is_arrows else cluster

    @property
    def name(self):
        return self.out.rstrip("/").rsplit("/", 1)[-1]

    @property
    def is_file(self):
        return self.name.endswith((".pmtiles", ".mbtiles")) and not self.out.endswith("/")

    @property
    def is_pmtiles(self):
        return self.is_file and self.name.endswith(".pmtiles")

    def for_tasks(self):
        """Where tasks write its bytes. Raises `Unable` where they cannot."""
        if self.path is not None:
            return SharedFiles(archive_files(self.path))
        if not isinstance(self.store, ArrowStore):
            raise Unable(f"an archive goes to {scheme(self.out)}:// through Hadoop, and as a whole; to S3 it goes in parts "
                         "where storage= says how to get there, or the job is there too")
        return self.store.uploads(archive_files(self.out))

    def check(self, force):
        if not self.is_file and not self.out.endswith("/") and not (self.path and os.path.isdir(self.path)):
            raise CoveyError(f"{self.out}: the name tells no kind of archive\nend it in .pmtiles, .mbtiles, or / for a folder")
        if self.path and not os.path.isdir(os.path.dirname(self.path)):
            raise CoveyError(f"{os.path.dirname(self.path)}: is no folder\nmake it, or name another archive")
        for each in archive_files(self.path or self.out.rstrip("/")):
            # A store that cannot be asked is told before the work, forced or not.
            exists = self.store.exists(each) if self.store else os.path.exists(each)
            if exists and not force:
                raise CoveyError(f"{each}: exists already\nuse force=True to replace it, or name another")

    @contextlib.contextmanager
    def output(self, place):
        """The path that it is written to; one for elsewhere is moved there when it is whole."""
        # A name that ends in / is a folder's.
        end = "/" if self.out.endswith("/") else ""
        if self.path is not None:
            yield self.path + end
            return
        address, name = self.out.rstrip("/").rsplit("/", 1)[0], self.name
        with tempfile.TemporaryDirectory(dir=place.path) as temporary:
            path = os.path.join(temporary, name)
            yield path + end
            # The one that people open comes last.
            for each in reversed(archive_files(path)):
                if os.path.exists(each):
                    self.store.upload(each, f"{address}/{os.path.basename(each)}")
