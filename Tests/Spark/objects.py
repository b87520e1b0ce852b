"""A store of objects on this machine, which speaks S3."""

import logging
import urllib.request

from moto import settings
from moto.server import ThreadedMotoServer
from pyarrow import fs

logging.getLogger("werkzeug").setLevel(logging.ERROR)

KEYS = {"access_key": "covey", "secret_key": "secret"}


class Objects:
    def __init__(self):
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        host, port = self.server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        self.system = fs.S3FileSystem(**self.storage, allow_bucket_creation=True)
        self.system.create_dir("maps")

    @property
    def storage(self):
        """What a build is told of the store."""
        return {"endpoint_override": self.endpoint.split("://")[1], "scheme": "http", "region": "us-east-1", **KEYS}

    def tell(self, spark):
        """Tells Spark of it instead, as people do for their tables."""
        conf = spark.sparkContext._jsc.hadoopConfiguration()
        conf.set("fs.s3a.endpoint", self.endpoint)
        conf.set("fs.s3a.endpoint.region", "us-east-1")
        conf.set("fs.s3a.access.key", KEYS["access_key"])
        conf.set("fs.s3a.secret.key", KEYS["secret_key"])

    def names(self, folder):
        found = self.system.get_file_info(fs.FileSelector(folder, recursive=True))
        return sorted(info.path for info in found if info.type == fs.FileType.File)

    def files(self, job):
        """By the objects of a job what files are in them, with where they begin and their sizes."""
        from covey_spark.objects import Objects as Stored
        stored = Stored(job, self.system, job)
        return {name: {file: (place, length) for file, _, place, length in stored.files(name, size)}
                for name, size in stored.sizes().items()}

    def damage(self, name, start, size):
        """Spoils some bytes of an object."""
        with self.system.open_input_file(name) as source:
            bytes = bytearray(source.read())
        bytes[start:start + size] = (b"damaged" * (size // 7 + 1))[:size]
        with self.system.open_output_stream(name) as stream:
            stream.write(memoryview(bytes))

    def uploads(self):
        """The keys of what is uploaded in parts and not yet there."""
        import boto3
        client = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1",
                              aws_access_key_id=KEYS["access_key"], aws_secret_access_key=KEYS["secret_key"])
        return [upload["Key"] for upload in client.list_multipart_uploads(Bucket="maps").get("Uploads", [])]

    def remove(self, name):
        self.system.delete_file(name)

    def fetch(self, name, path):
        with self.system.open_input_file(name) as source, open(path, "wb") as target:
            target.write(source.read())

    def lock(self):
        """From now on all requests are refused: no key is known."""
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0

    def end(self):
        settings.INITIAL_NO_AUTH_ACTION_COUNT = float("inf")
        # What it holds is the process's, and not the server's.
        urllib.request.urlopen(f"{self.endpoint}/moto-api/reset", data=b"").close()
        self.server.stop()
