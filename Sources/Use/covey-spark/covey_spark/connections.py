"""Stores by their addresses, through the file systems of Arrow, which need no Java."""

import os
import re

from covey import CoveyError

from .outputs import Unable, Uploads
from .objects import StoreError, put


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


# What else Arrow is told of S3 matters to its own requests alone, or is its usual value.
INDIFFERENT = {"background_writes", "allow_delayed_open", "allow_bucket_creation", "allow_bucket_deletion",
               "check_directory_existence_before_creation", "load_frequency", "session_name", "external_id",
               "retry_strategy"}


def s3_client(system):
    """With what botocore gets to where a file system of Arrow's gets. Without keys both look around in the same places."""
    try:
        told = dict(system.__reduce__()[1][0])
    except (TypeError, IndexError, ValueError) as error:
        raise Unable("this version of pyarrow does not say how it gets to S3") from error
    told = {name: value for name, value in told.items() if value and value != -1 and name not in INDIFFERENT}
    proxy = told.pop("proxy_options", {})
    if isinstance(proxy, dict) and proxy.get("host"):
        told["proxy_options"] = proxy
    client, config = {}, {}
    for theirs, ours in [("access_key", "aws_access_key_id"), ("secret_key", "aws_secret_access_key"),
                         ("session_token", "aws_session_token"), ("region", "region_name"),
                         ("tls_ca_file_path", "verify")]:
        if theirs in told:
            client[ours] = told.pop(theirs)
    endpoint, kind = told.pop("endpoint_override", None), told.pop("scheme", "https")
    virtual = told.pop("force_virtual_addressing", False)
    if endpoint:
        client["endpoint_url"] = endpoint if "://" in endpoint else f"{kind}://{endpoint}"
        config["s3"] = {"addressing_style": "virtual" if virtual else "path"}
    for name in ("connect_timeout", "request_timeout"):
        if name in told:
            config[name.replace("request", "read")] = told.pop(name)
    anonymous = told.pop("anonymous", False)
    if told:
        raise Unable(f"tasks upload parts to S3 with botocore, which is not told of {', '.join(sorted(told))} in storage=")
    return {"client": client, "config": config, "anonymous": anonymous}


def direct(system):
    """With what botocore gets there, if that is S3 and it can."""
    from pyarrow import fs
    if isinstance(system, getattr(fs, "S3FileSystem", ())):
        try:
            return s3_client(system)
        except Unable:
            pass  # Arrow does the same with more requests
    return None


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

    def uploads(self, addresses):
        """Where tasks upload the parts of archives that have these addresses."""
        from pyarrow import fs
        system, _ = connect(addresses[0], self.storage, self.setting)
        if not isinstance(system, getattr(fs, "S3FileSystem", ())):
            raise Unable(f"of the stores only S3 takes an archive in parts from tasks, and {addresses[0]} is in another")
        keys = [re.sub(r"^[^:]+:/+", "", address) for address in addresses]
        return Uploads([(address, *key.split("/", 1)) for address, key in zip(addresses, keys)], s3_client(system))

    def upload(self, path, address):
        """Brings a file there, or all that is in a folder."""
        names = [path]
        if os.path.isdir(path):
            names = [os.path.join(parent, name) for parent, _, files in os.walk(path) for name in files]
        system, target = connect(address, self.storage, self.setting)
        try:
            for name in names:
                with open(name, "rb") as source:
                    put(system, source, target if name == path else f"{target}/{os.path.relpath(name, path)}")
        except Exception as error:
            raise CoveyError(f"{address}: {error}") from error
