"""Where a job and its archive lie."""

import contextlib
import os
import re
import tempfile

from covey import CoveyError


def scheme(place):
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):/", place)
    return found.group(1).lower() if found else None


def local(place):
    """The path of a place on this machine's file systems; nil of any other."""
    place = os.fspath(place)
    if scheme(place) is None:
        return os.path.abspath(place)
    if scheme(place) == "file":
        return os.path.abspath(re.sub(r"^file:/+", "/", place, flags=re.IGNORECASE))
    return None


def folder(job, cluster):
    """The job's folder, and whether it goes away with the build."""
    if job is None:
        if not cluster.is_local:
            raise CoveyError("on a cluster a job needs a folder that all workers see: "
                             "name one with job=, as job=\"/shared/jobs/places\"")
        return tempfile.mkdtemp(prefix="covey-spark-"), True
    path = local(job)
    if path is None:
        raise CoveyError(f"{job}: the folder of a job is one that the driver and all workers see as files "
                         "(NFS, EFS, Lustre, /dbfs, /Volumes, a mounted bucket)")
    os.makedirs(path, exist_ok=True)
    return path, False


def files(path):
    """The files that an archive consists of: clusters have one of their own beside PMTiles."""
    stem, ending = os.path.splitext(path)
    return [path, f"{stem}.clusters{ending}"] if ending == ".pmtiles" else [path]


def check_output(out, force, cluster):
    path, exists = local(out), os.path.exists
    if path is None:
        path, exists = os.fspath(out).rstrip("/"), cluster.exists
    for each in files(path):
        # A store that cannot be asked is told before the work, forced or not.
        if exists(each) and not force:
            raise CoveyError(f"{each}: exists already\nuse force=True to replace it, or name another")


@contextlib.contextmanager
def output(out, folder, cluster):
    """The path that an archive is written to; one for elsewhere is brought there when it is whole."""
    out = os.fspath(out)
    path = local(out)
    if path is not None:
        # A name that ends in / is a folder's.
        yield path + "/" if out.endswith("/") else path
        return
    address, name = out.rstrip("/").rsplit("/", 1)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        path = os.path.join(temporary, name)
        yield path + "/" if out.endswith("/") else path
        for each in files(path):
            if os.path.exists(each):
                cluster.upload(each, f"{address}/{os.path.basename(each)}")
