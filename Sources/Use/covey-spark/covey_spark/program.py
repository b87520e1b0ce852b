"""Runs the program on the driver, and makes the tasks that run it on workers."""

import subprocess
import tempfile

import covey
from covey.options import in_python

from . import columns, tasks
from .store import output_lines


class Program:
    def __init__(self, cluster, binary):
        self.cluster = cluster
        self.finder = tasks.ProgramFinder(binary, None)
        if binary is None:
            self.finder = tasks.ProgramFinder(*cluster.send_program(covey.program()))

    def run(self, files, step, *arguments):
        """Runs a step on the driver, and returns the program's output."""
        command = ["cells", step, *arguments, "--job", files.path, *files.options]
        if not files.options:
            return covey.run(command)
        with tempfile.TemporaryFile() as errors:
            with tasks.running(covey.program(), command, errors, subprocess.PIPE) as process:
                out = b"".join(output_lines(process, files))
                process.wait()
            if process.returncode:
                message = in_python(files.with_addresses(tasks.message_in(errors)))
                raise covey.CoveyError(message or f"covey ended with {process.returncode}")
        return out.decode()

    def read_task(self, folder, document, layer):
        return tasks.ReadTask(self.finder, folder, document, layer, self.cluster.threads, self.cluster.accumulators,
                              columns)

    def gather_task(self, folder, document, lists):
        return tasks.GatherTask(self.finder, folder, document, lists, self.cluster.threads)

    def cell_task(self, phase, folder):
        return tasks.CellTask(self.finder, folder, phase, self.cluster.threads, self.cluster.accumulators)

    def whole_task(self, folder, document, parts, name, memory):
        threads = self.cluster.executor_cores
        return tasks.WholeTask(self.finder, folder, document, parts, name, memory * (threads or 1), threads)

    def merge_task(self, folder, pieces, output):
        return tasks.MergeTask(self.finder, folder, pieces, output, self.cluster.threads)

    def top_task(self, folder):
        return tasks.TopTask(self.finder, folder, self.cluster.executor_cores)
