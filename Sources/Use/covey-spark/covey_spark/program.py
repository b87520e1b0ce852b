"""The program on the driver, and what workers are told to do with it."""

import subprocess
import tempfile

import covey
from covey.options import in_python

from . import columns, tasks
from .store import answered


class Program:
    def __init__(self, cluster, binary):
        self.cluster = cluster
        self.finder = tasks.Finder(binary, None)
        if binary is None:
            self.finder = tasks.Finder(*cluster.ship(covey.program()))

    def here(self, place, step, *words):
        """Runs a step on the driver, and returns what it printed."""
        words = ["cells", step, *words, "--job", place.path, *place.words]
        if not place.words:
            return covey.run(words)
        with tempfile.TemporaryFile() as said:
            with tasks.started(covey.program(), words, said, subprocess.PIPE) as process:
                out = b"".join(answered(process, place))
                process.wait()
            if process.returncode:
                words = in_python(place.told(tasks.words_in(said)))
                raise covey.CoveyError(words or f"covey ended with {process.returncode}")
        return out.decode()

    def reading(self, folder, document, layer):
        return tasks.Reading(self.finder, folder, document, layer, self.cluster.threads, self.cluster.counter,
                             columns)

    def gathering(self, folder, document, lists):
        return tasks.Gathering(self.finder, folder, document, lists, self.cluster.threads)

    def cells(self, phase, folder):
        return tasks.Cells(self.finder, folder, phase, self.cluster.threads, self.cluster.counter)

    def whole(self, folder, document, parts, name, memory):
        threads = self.cluster.executor_cores
        return tasks.Whole(self.finder, folder, document, parts, name, memory * (threads or 1), threads)

    def copying(self, folder, pieces, output):
        return tasks.Copying(self.finder, folder, pieces, output, self.cluster.threads)

    def top(self, folder):
        return tasks.Top(self.finder, folder, self.cluster.executor_cores)
