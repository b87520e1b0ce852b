"""Connections to stores through the file systems of Arrow, which need no Java."""

import os
import re

from covey import CoveyError

from .outputs import TasksCannotWrite, Uploads
from .objects import StoreError, put


def scheme(address):
    """The scheme of an address in lower case; None for a path."""
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):/", address)
    return found.group(1).lower() if found else None


def connect(address, storage, setting):
    """The file system of Arrow for an address, and the path in it.

    - `storage`: such a file system, or arguments for it.
    - `setting`: a function that returns the value of a Hadoop setting, or None.
    """
    from pyarrow import fs
    rest = re.sub(r"^[^:]+:/+", "", address).rstrip("/")
    if isinstance(storage, fs.FileSystem):
        return storage, rest
    kind = scheme(address)
    if kind not in FILE_SYSTEMS:
        raise CoveyError(f"{address}: the folder of a job must be one that the driver and all workers see as files, or "
                         f"be in a store ({', '.join(FILE_SYSTEMS)})\nname another, or pass a file system of Arrow as storage=")
    try:
        return FILE_SYSTEMS[kind](address, rest, dict(storage or {}), setting)
    except (OSError, TypeError, ValueError, NotImplementedError) as error:
        raise CoveyError(f"{address}: {error}\nstorage= takes the arguments of Arrow's file system") from error


def s3(address, rest, options, setting):
    from pyarrow import fs
    bucket = rest.split("/")[0]
    return fs.S3FileSystem(**{"allow_delayed_open": True, **s3_arguments(bucket, options, setting), **options}), rest


def s3_arguments(bucket, options, setting):
    """Arguments of Arrow's file system for a bucket, from Spark's settings and the environment."""
    from pyarrow import fs

    def configured(name):
        return setting(f"fs.s3a.bucket.{bucket}.{name}") or setting(f"fs.s3a.{name}")

    found = {}
    provider = configured("aws.credentials.provider") or ""
    if provider.rstrip().endswith("AnonymousAWSCredentialsProvider"):
        found["anonymous"] = True
    elif not {"access_key", "anonymous", "role_arn"} & set(options):
        for name in ("access_key", "secret_key", "session_token"):
            if configured(name.replace("_", ".")):
                found[name] = configured(name.replace("_", "."))
    endpoint = configured("endpoint") or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        kind, _, host = endpoint.rpartition("://")
        found["endpoint_override"] = host.rstrip("/")
        if kind or configured("connection.ssl.enabled") == "false":
            found["scheme"] = kind or "http"
    region = configured("endpoint.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region:
        found["region"] = region
    elif "region" not in options and not {"endpoint_override"} & (set(found) | set(options)):
        try:
            found["region"] = fs.resolve_s3_region(bucket)
        except OSError:
            pass  # the first request raises an error that says more
    return found


# Arguments of Arrow's file system that do not matter to botocore.
ARROW_ONLY = {"background_writes", "allow_delayed_open", "allow_bucket_creation", "allow_bucket_deletion",
              "check_directory_existence_before_creation", "load_frequency", "session_name", "external_id",
              "retry_strategy"}


def botocore_connection(system):
    """The arguments with which botocore connects as a file system of Arrow does. Without keys, both look for them in
    the same places. Raises `TasksCannotWrite` if botocore has no such argument."""
    try:
        arguments = dict(system.__reduce__()[1][0])
    except (TypeError, IndexError, ValueError) as error:
        raise TasksCannotWrite("this version of pyarrow does not show how it connects to S3") from error
    # Arguments that are empty or -1 have their default.
    arguments = {name: value for name, value in arguments.items() if value and value != -1 and name not in ARROW_ONLY}
    proxy = arguments.pop("proxy_options", {})
    if isinstance(proxy, dict) and proxy.get("host"):
        arguments["proxy_options"] = proxy
    client, config = {}, {}
    for name, botocore_name in [("access_key", "aws_access_key_id"), ("secret_key", "aws_secret_access_key"),
                                ("session_token", "aws_session_token"), ("region", "region_name"),
                                ("tls_ca_file_path", "verify")]:
        if name in arguments:
            client[botocore_name] = arguments.pop(name)
    endpoint, kind = arguments.pop("endpoint_override", None), arguments.pop("scheme", "https")
    virtual = arguments.pop("force_virtual_addressing", False)
    if endpoint:
        client["endpoint_url"] = endpoint if "://" in endpoint else f"{kind}://{endpoint}"
        config["s3"] = {"addressing_style": "virtual" if virtual else "path"}
    for name in ("connect_timeout", "request_timeout"):
        if name in arguments:
            config[name.replace("request", "read")] = arguments.pop(name)
    anonymous = arguments.pop("anonymous", False)
    if arguments:
        raise TasksCannotWrite("tasks upload parts to S3 with botocore, which does not support "
                               f"{', '.join(sorted(arguments))} in storage=")
    return {"client": client, "config": config, "anonymous": anonymous}


def try_botocore_connection(system):
    """The same; None if the file system is not S3 or botocore has no such argument."""
    from pyarrow import fs
    if isinstance(system, getattr(fs, "S3FileSystem", ())):
        try:
            return botocore_connection(system)
        except TasksCannotWrite:
            pass  # Arrow does the same, with more requests
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
    """Needs libhdfs and a CLASSPATH on every machine."""
    from pyarrow import fs
    found = re.match(r"[^:]+://([^/:]*)(?::(\d+))?(/.*)?$", address)
    host, port, path = found.groups() if found else ("", None, "/" + rest)
    return fs.HadoopFileSystem(host or "default", int(port or 0), **options), path or "/"


FILE_SYSTEMS = {"s3a": s3, "s3": s3, "s3n": s3, "gs": gcs, "abfs": azure, "abfss": azure, "hdfs": hadoop}


class ArrowStore:
    """Uploads archives to a store through Arrow."""

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
        """Multipart uploads of files to these addresses."""
        from pyarrow import fs
        system, _ = connect(addresses[0], self.storage, self.setting)
        if not isinstance(system, getattr(fs, "S3FileSystem", ())):
            raise TasksCannotWrite(f"tasks can upload an archive in parts only to S3, and {addresses[0]} is in another store")
        keys = [re.sub(r"^[^:]+:/+", "", address) for address in addresses]
        return Uploads([(address, *key.split("/", 1)) for address, key in zip(addresses, keys)],
                       botocore_connection(system))

    def upload(self, path, address):
        """Uploads a file, or all files of a folder."""
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
