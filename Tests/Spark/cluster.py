"""A standalone Spark cluster on this machine, whose workers can be killed."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Standalone:
    """A master, and workers of one core each. Every process leads a process group of its own, so that it can be killed
    with its children only."""

    def __init__(self, folder, workers=2):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.address = f"spark://127.0.0.1:{self.port}"
        self.count = 0
        self.workers = []
        self.master = self.start(
            "master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(self.port),
            "--webui-port", str(free_port()))
        self.wait_for("master.log", "I have been elected leader")
        for _ in range(workers):
            self.add_worker()

    def start(self, name, program, *arguments):
        log = open(self.folder / f"{name}.log", "wb")
        return subprocess.Popen(
            [str(HOME / "bin/spark-class"), program, *arguments], stdout=log, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1",
                 "SPARK_NO_DAEMONIZE": "1", "SPARK_DAEMON_MEMORY": "256m"})

    def wait_for(self, log, text, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in (self.folder / log).read_text(errors="replace"):
                return
            time.sleep(0.1)
        raise RuntimeError(f"{log} has no “{text}”:\n{(self.folder / log).read_text(errors='replace')[-2000:]}")

    def add_worker(self):
        self.count += 1
        name = f"worker-{self.count}"
        worker = self.start(
            name, "org.apache.spark.deploy.worker.Worker", self.address, "--host", "127.0.0.1", "--cores", "1",
            "--memory", "1g", "--work-dir", str(self.folder / name), "--webui-port", str(free_port()))
        self.wait_for(f"{name}.log", "Successfully registered with master")
        self.workers.append(worker)

    def kill_worker(self, index=0):
        """Kills a worker with its executors and their children."""
        kill(self.workers.pop(index))

    def end(self):
        for process in [*self.workers, self.master]:
            kill(process)


def kill(process):
    """Kills a process and its descendants."""
    for each in [process.pid, *descendants(process.pid)]:
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def descendants(process):
    """The ids of all descendants of a process."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(text.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found, open_ = [], [process]
    while open_:
        for child in parents.get(open_.pop(), []):
            found.append(child)
            open_.append(child)
    return found
