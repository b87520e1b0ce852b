"""The program on the driver, and what workers are told to do with it."""

import covey
from covey import columns

from . import tasks


class Program:
    def __init__(self, cluster, binary):
        self.cluster = cluster
        self.finder = tasks.Finder(binary, None)
        if binary is None:
            self.finder = tasks.Finder(*cluster.ship(covey.program()))

    def here(self, *words):
        """Runs the program on the driver."""
        return covey.run(list(words))

    def reading(self, folder, recipe, layer):
        return tasks.Reading(self.finder, folder, recipe, layer, self.cluster.threads, self.cluster.counter,
                             columns)

    def cells(self, phase, folder):
        return tasks.Cells(self.finder, folder, phase, self.cluster.threads, self.cluster.counter)

    def top(self, folder):
        return tasks.Top(self.finder, folder, self.cluster.executor_cores)
