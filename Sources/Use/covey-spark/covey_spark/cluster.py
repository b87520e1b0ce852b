"""Spark, as a build uses it: stages of tasks, counters, progress, errors."""

import atexit
import contextlib
import hashlib
import logging
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import uuid

from covey import CoveyError
from covey.options import in_python

from . import columns, objects, outputs, store, tasks

# What calls of Spark raise.
SPARK_ERRORS = ()
try:
    from pyspark import cloudpickle
    from pyspark.errors import PySparkException
    SPARK_ERRORS += (PySparkException,)
    from py4j.protocol import Py4JError
    SPARK_ERRORS += (Py4JError,)
    # Workers need no package of ours: what they run goes along.
    for module in (tasks, objects, store, outputs, columns):
        cloudpickle.register_pickle_by_value(module)
except ImportError:
    pass  # a client alone

# By their names, the programs that workers may fetch.
COPIES = {}
COUNTERS = ["points", "nodes", "tiles", "cells", "cells_run_twice", "bad_records"]


class Cluster:
    def __init__(self, spark, progress, most_tasks):
        self.spark = spark
        self.progress = say if progress is True else progress or None
        self.most_tasks = most_tasks
        # By which Spark knows the jobs of this build.
        self.name = f"covey-{uuid.uuid4()}"
        self.context = None
        try:
            self.context = spark.sparkContext
        except Exception:
            # Spark Connect has none.
            pass
        self.counter = {}
        if self.context is not None:
            self.counter = {name: self.context.accumulator(0) for name in COUNTERS}

    def conf(self, name, default=None):
        try:
            return self.spark.conf.get(name, default)
        except Exception:
            return default

    @property
    def is_local(self):
        return self.context is not None and self.context.master.startswith("local")

    @property
    def threads(self):
        return int(self.conf("spark.task.cpus", "1"))

    @property
    def parallelism(self):
        return self.context.defaultParallelism if self.context is not None else 8

    @property
    def tasks(self):
        """How many tasks a stage has at most."""
        return self.most_tasks or 4 * self.parallelism

    def tasks_for(self, cells, place):
        """How many tasks cells are shared among. Where each task costs requests and there are few points, each core has
        fewer."""
        if self.most_tasks or not place.fewest:
            return self.tasks
        rounds = sum(points for _, points in cells) // (place.fewest * self.parallelism)
        return min(max(rounds, 1), 4) * self.parallelism

    @property
    def executor_cores(self):
        """How many threads a task that is alone may have."""
        if self.is_local:
            return self.parallelism
        cores = self.conf("spark.executor.cores")
        return int(cores) if cores else None

    def ship(self, binary):
        """Makes the driver's program known to all workers: its path, or the name of a file that goes along."""
        if self.is_local:
            return binary, None
        copy = fetchable(binary)
        if self.context is None:
            self.spark.addArtifacts(copy, file=True)
        else:
            self.context.addFile(copy)
        return None, os.path.basename(copy)

    def task_memory(self, parts):
        """What a task may use beside Spark: its share of the smallest worker."""
        shares = [part["memory"] // max(1, part["cores"] // self.threads) for part in parts if part["memory"]]
        return max(min(shares, default=2 << 30) * 6 // 10, 512 << 20)

    def run_table(self, stage, table, task, place):
        """Runs a task for each partition of a table; what they yield."""
        # How many there are is known when they run: to ask before would compute what is in front of a shuffle.
        if self.most_tasks:
            table = table.coalesce(self.most_tasks)
        # By a number Spark finds each column, also where names have dots or differ in case alone.
        task.names = table.columns
        numbered = table.toDF(*map(str, range(len(task.names))))
        return self.run(stage, numbered.mapInArrow(task, tasks.SCHEMA), 0, place)

    def run_cells(self, stage, cells, task, place):
        """Runs tasks for cells, several in one where these are light."""
        task.known = place.known()
        task.shares = shares(cells, self.tasks_for(cells, place))
        count = len(task.shares)
        rows = self.spark.range(0, count, 1, count).mapInArrow(task, tasks.SCHEMA)
        return self.run(stage, rows, count, place)

    def run(self, stage, rows, count, place):
        self.tell(stage, 0, count)
        watch = Watch(self, stage, count)
        try:
            with self.jobs():
                return tasks.unpacked(rows.collect(), place)
        except Exception as error:
            raise CoveyError(f"{stage}: {told_by(error)}") from error
        finally:
            watch.end()

    @contextlib.contextmanager
    def jobs(self):
        """What is run inside belongs to this build: it is watched alone, and cancelled with it."""
        if self.context is None:
            self.spark.addTag(self.name)
            try:
                yield
            except BaseException:
                self.spark.interruptTag(self.name)
                raise
            finally:
                self.spark.removeTag(self.name)
            return
        names = ["spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"]
        before = {name: self.context.getLocalProperty(name) for name in names}
        self.context.setJobGroup(self.name, "covey", True)
        try:
            yield
        except BaseException:
            self.context.cancelJobGroup(self.name)
            raise
        finally:
            for name, value in before.items():
                self.context.setLocalProperty(name, value)

    def tell(self, stage, done, total):
        if self.progress:
            self.progress(stage, done, total)

    def note(self, words):
        """Tells what people may want to know."""
        if self.progress:
            say_line(words)

    def counters(self):
        return {name: counter.value for name, counter in self.counter.items()}

    def hadoop_setting(self, name):
        """What Spark's Hadoop is told of a name."""
        if self.context is None:
            return self.conf(f"spark.hadoop.{name}")
        return self.context._jsc.hadoopConfiguration().get(name)

    def hadoop_knows(self, scheme):
        """Whether Spark's Hadoop has a file system for addresses that begin so."""
        if self.context is None:
            return False
        try:
            self.context._jvm.org.apache.hadoop.fs.FileSystem.getFileSystemClass(
                scheme, self.context._jsc.hadoopConfiguration())
            return True
        except Exception:
            return False

    def exists(self, address):
        """Whether one of Hadoop's file systems has something there."""
        system, target = self.hadoop(address)
        return system.exists(target)

    def upload(self, path, address):
        """Brings a file or folder of the driver to where one of Hadoop's file systems has it."""
        system, target = self.hadoop(address)
        system.copyFromLocalFile(False, True, self.context._jvm.org.apache.hadoop.fs.Path(f"file://{path}"), target)

    def hadoop(self, address):
        target = self.context._jvm.org.apache.hadoop.fs.Path(address)
        return target.getFileSystem(self.context._jsc.hadoopConfiguration()), target


def fetchable(binary):
    """The program under a name that says what is in it, for Spark keeps one file of a name: neither what
    --archives unpacks as `covey` nor another version may stand in its way. Workers fetch it from there as
    long as this process lives.
    """
    with open(binary, "rb") as file:
        name = f"covey-{hashlib.sha256(file.read()).hexdigest()[:16]}"
    if name not in COPIES:
        folder = tempfile.mkdtemp(prefix="covey-program-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        COPIES[name] = shutil.copy(binary, os.path.join(folder, name))
    return COPIES[name]


def shares(cells, count):
    """Cells that follow one another in at most so many shares, of about as many points each; the heaviest comes
    first, so that none is waited for alone."""
    total = sum(points + 1 for _, points in cells)
    found, passed = {}, 0
    for name, points in cells:
        middle = passed + (points + 1) / 2
        weight, names = found.setdefault(int(middle * count / total), (0, []))
        names.append(name)
        found[int(middle * count / total)] = (weight + points + 1, names)
        passed += points + 1
    return [names for _, names in sorted(found.values(), key=lambda share: -share[0])]


def told_by(error):
    """What an error of Spark is about: the words of a task of ours, or Spark's without the stacks of Java and Python."""
    text = str(error)
    own = re.search(r"\[\[covey: (.*?):covey\]\]", text, re.DOTALL)
    if own:
        return in_python(own[1])
    text = re.split(r"\s*(?:Driver stacktrace:)?\s*\n\s*at ", text)[0]
    text = re.sub(r"^An error occurred while calling .*\n: (?:[\w.$]+: )?", "", text)
    text = re.sub(r"(?s).*Traceback \(most recent call last\):\n(?:\s[^\n]*\n)*", "a Python worker raised ", text)
    return text.strip()


class Watch:
    """Tells how far a stage is, from a thread of its own."""

    def __init__(self, cluster, stage, count):
        self.is_over = threading.Event()
        self.thread = None
        if cluster.progress is None or cluster.context is None:
            return
        self.cluster, self.stage, self.count = cluster, stage, count
        self.start = time.monotonic()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        tracker = self.cluster.context.statusTracker()
        told = 0
        while not self.is_over.wait(1):
            jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self.cluster.name)]
            own = {stage for job in jobs if job for stage in job.stageIds}
            infos = [tracker.getStageInfo(stage) for stage in own.intersection(tracker.getActiveStageIds())]
            done = sum(info.numCompletedTasks for info in infos if info)
            total = sum(info.numTasks for info in infos if info)
            if done != told and total:
                told = done
                self.cluster.tell(self.stage, done, total)

    def end(self):
        self.is_over.set()
        if self.thread:
            self.thread.join()


def say(stage, done, total):
    of = f" of {total}" if total else ""
    say_line(f"{stage}: {done}{of} tasks")


LOG = logging.getLogger("covey_spark")


def say_line(words):
    """Tells the logger, or standard error where no logging is set up."""
    if LOG.level == logging.NOTSET:
        LOG.setLevel(logging.INFO)
    if LOG.hasHandlers():
        LOG.info("%s", words)
    elif LOG.isEnabledFor(logging.INFO):
        with contextlib.suppress(OSError, ValueError):  # what can't be said there ends nothing
            print(f"covey: {words}", file=sys.stderr, flush=True)
