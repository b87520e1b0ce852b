"""Stores by their addresses, through the file systems of Arrow, which need no Java."""

import os
import re

from covey import CoveyError

from .store import StoredFolder, StoreError, put


def scheme(address):
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):/", address)
    return found.group(1).lower() if found else None


def connect(address, storage, setting):
    """The file system that has an address, and the path there.

    - `storage`: arguments of that file system of Arrow's, or one itself.
    - `setting`: what Hadoop's settings say of a name, or None.
    """
    from pyarrow import fs
    rest = re.sub(r"^[^:]+:/+", "", address).rstrip("/")
    if isinstance(storage, fs.FileSystem):
        return storage, rest
    kind = scheme(address)
    if kind not in KINDS:
        raise CoveyError(f"{address}: the folder of a job is one that the driver and all workers see as files, or "
                         f"lies in a store ({', '.join(KINDS)})\nname another, or pass a file system of Arrow's as storage=")
    try:
        return KINDS[kind](address, rest, dict(storage or {}), setting)
    except (OSError, TypeError, ValueError, NotImplementedError) as error:
        raise CoveyError(f"{address}: {error}\nstorage= takes what its file system of Arrow's takes") from error


def s3(address, rest, options, setting):
    from pyarrow import fs
    bucket = rest.split("/")[0]
    return fs.S3FileSystem(**{"allow_delayed_open": True, **s3_settings(bucket, options, setting), **options}), rest


def s3_settings(bucket, options, setting):
    """What Spark and the environment say of a bucket."""
    from pyarrow import fs

    def asked(name):
        return setting(f"fs.s3a.bucket.{bucket}.{name}") or setting(f"fs.s3a.{name}")

    found = {}
    provider = asked("aws.credentials.provider") or ""
    if provider.rstrip().endswith("AnonymousAWSCredentialsProvider"):
        found["anonymous"] = True
    elif not {"access_key", "anonymous", "role_arn"} & set(options):
        for ours, theirs in [("access_key", "access.key"), ("secret_key", "secret.key"), ("session_token", "session.token")]:
            if asked(theirs):
                found[ours] = asked(theirs)
    endpoint = asked("endpoint") or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        kind, _, host = endpoint.rpartition("://")
        found["endpoint_override"] = host.rstrip("/")
        if kind or asked("connection.ssl.enabled") == "false":
            found["scheme"] = kind or "http"
    region = asked("endpoint.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region:
        found["region"] = region
    elif "region" not in options and not {"endpoint_override"} & (set(found) | set(options)):
        try:
            found["region"] = fs.resolve_s3_region(bucket)
        except OSError:
            pass  # the first request tells what is wrong
    return found


def gcs(address, rest, options, setting):
    from pyarrow import fs
    return fs.GcsFileSystem(**options), rest


def azure(address, rest, options, setting):
    """abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH"""
    from pyarrow import fs
    found = re.match(r"([^@/]+)@([^./]+)([^/]*)/?(.*)", rest)
    if not found:
        raise ValueError("an address is abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH")
    container, account, host, path = found.groups()
    key = setting(f"fs.azure.account.key.{account}{host}")
    if key and not {"account_key", "sas_token", "client_id"} & set(options):
        options["account_key"] = key
    return fs.AzureFileSystem(**{"account_name": account, **options}), f"{container}/{path}".rstrip("/")


def hadoop(address, rest, options, setting):
    """Arrow's way there, which wants libhdfs and a CLASSPATH on every machine."""
    from pyarrow import fs
    found = re.match(r"[^:]+://([^/:]*)(?::(\d+))?(/.*)?$", address)
    host, port, path = found.groups() if found else ("", None, "/" + rest)
    return fs.HadoopFileSystem(host or "default", int(port or 0), **options), path or "/"


KINDS = {"s3a": s3, "s3": s3, "s3n": s3, "gs": gcs, "abfs": azure, "abfss": azure, "hdfs": hadoop}


class ArrowStore:
    """A store that archives go to."""

    def __init__(self, storage, setting):
        self.storage, self.setting = storage, setting

    def exists(self, address):
        from pyarrow import fs
        system, path = connect(address, self.storage, self.setting)
        try:
            return system.get_file_info(path).type != fs.FileType.NotFound
        except Exception as error:
            raise CoveyError(f"{address}: {error}") from error

    def upload(self, path, address):
        """Brings a file there, or all that is in a folder."""
        names = [path]
        if os.path.isdir(path):
            names = [os.path.join(parent, name) for parent, _, files in os.walk(path) for name in files]
        system, target = connect(address, self.storage, self.setting)
        try:
            for name in names:
                put(system, name, target if name == path else f"{target}/{os.path.relpath(name, path)}")
        except Exception as error:
            raise CoveyError(f"{address}: {error}") from error
