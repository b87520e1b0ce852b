"""A server with the API of S3 on this machine."""

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
        """The `storage` of a build."""
        return {"endpoint_override": self.endpoint.split("://")[1], "scheme": "http", "region": "us-east-1", **KEYS}

    def configure(self, spark):
        """Sets Spark's settings for the store instead."""
        conf = spark.sparkContext._jsc.hadoopConfiguration()
        conf.set("fs.s3a.endpoint", self.endpoint)
        conf.set("fs.s3a.endpoint.region", "us-east-1")
        conf.set("fs.s3a.access.key", KEYS["access_key"])
        conf.set("fs.s3a.secret.key", KEYS["secret_key"])

    def names(self, folder):
        found = self.system.get_file_info(fs.FileSelector(folder, recursive=True))
        return sorted(info.path for info in found if info.type == fs.FileType.File)

    def files(self, job):
        """For each object of a job the files in it, with the offset and the length of the last range of each."""
        from covey_spark.objects import Objects as Stored
        stored = Stored(job, self.system, job)
        return {name: {file: (offset, length) for file, _, offset, length in stored.manifest(name, size)}
                for name, size in stored.sizes().items()}

    def damage(self, name, start, size):
        """Overwrites some bytes of an object."""
        with self.system.open_input_file(name) as source:
            bytes = bytearray(source.read())
        bytes[start:start + size] = (b"damaged" * (size // 7 + 1))[:size]
        with self.system.open_output_stream(name) as stream:
            stream.write(memoryview(bytes))

    def uploads(self):
        """The keys of multipart uploads that are not completed."""
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
        """Makes the server refuse all requests, as with wrong keys."""
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0

    def end(self):
        settings.INITIAL_NO_AUTH_ACTION_COUNT = float("inf")
        # The objects stay in this process when the server stops, so they are removed.
        urllib.request.urlopen(f"{self.endpoint}/moto-api/reset", data=b"").close()
        self.server.stop()
