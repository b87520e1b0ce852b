"""Runs stages of tasks on Spark, with counters, progress and errors."""

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
import uuid

from covey import CoveyError
from covey.options import in_python

from . import columns, objects, outputs, store, tasks

# The exceptions that calls of Spark raise.
SPARK_ERRORS = ()
try:
    from pyspark import cloudpickle
    from pyspark.errors import PySparkException
    SPARK_ERRORS += (PySparkException,)
    from py4j.protocol import Py4JError
    SPARK_ERRORS += (Py4JError,)
    # Spark sends these modules to workers, which then need no package of Covey.
    for module in (tasks, objects, store, outputs, columns):
        cloudpickle.register_pickle_by_value(module)
except ImportError:
    pass  # a client of Spark Connect without py4j

# If each task costs requests to a store, it has at least so many points on average. Those of the index read from most
# objects.
MIN_POINTS_OF_TASK = {"index": 4_000_000}
USUAL_MIN_POINTS = 500_000
# The paths of programs that workers may fetch, by file name.
COPIES = {}
COUNTERS = ["points", "nodes", "tiles", "cells", "cells_run_twice", "bad_records"]


class Cluster:
    def __init__(self, spark, progress, task_limit):
        self.spark = spark
        self.progress = log_progress if progress is True else progress or None
        self.task_limit = task_limit
        # The job group or tag of this build.
        self.name = f"covey-{uuid.uuid4()}"
        self.context = None
        try:
            self.context = spark.sparkContext
        except Exception:
            # Spark Connect has none.
            pass
        self.accumulators = {}
        if self.context is not None:
            self.accumulators = {name: self.context.accumulator(0) for name in COUNTERS}

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
    def max_tasks(self):
        """The largest number of tasks of a stage."""
        return self.task_limit or 4 * self.parallelism

    def tasks_for(self, stage, cells, files):
        """The number of tasks of a stage with these cells. If each task costs requests to a store and there are few
        points, there are fewer tasks for each core."""
        if self.task_limit or not files.points_per_task:
            return self.max_tasks
        points = sum(points for _, points in cells)
        rounds = points // (files.points_per_task * self.parallelism)
        most = points // MIN_POINTS_OF_TASK.get(stage, USUAL_MIN_POINTS)
        return max(1, min(min(max(rounds, 1), 4) * self.parallelism, most))

    @property
    def executor_cores(self):
        """The threads of a task that is alone in its executor; None if Spark does not say."""
        if self.is_local:
            return self.parallelism
        cores = self.conf("spark.executor.cores")
        return int(cores) if cores else None

    def send_program(self, binary):
        """Makes the driver's program available to workers. Returns its path or the name of the file that Spark sends."""
        if self.is_local:
            return binary, None
        copy = named_by_hash(binary)
        if self.context is None:
            self.spark.addArtifacts(copy, file=True)
        else:
            self.context.addFile(copy)
        return None, os.path.basename(copy)

    def task_memory(self, parts):
        """The memory that a task may use besides Spark, in bytes: six tenths of its share of the smallest worker."""
        shares = [part["memory"] // max(1, part["cores"] // self.threads) for part in parts if part["memory"]]
        return max(min(shares, default=2 << 30) * 6 // 10, 512 << 20)

    def run_table(self, stage, table, task, files):
        """Runs a task for each partition of a table, and returns the messages of all tasks."""
        # The number of partitions is not queried, because that would run the stages in front of a shuffle.
        if self.task_limit:
            table = table.coalesce(self.task_limit)
        # The columns get numbers as names, because Spark misreads names with dots, or that differ only in case.
        task.names = table.columns
        numbered = table.toDF(*map(str, range(len(task.names))))
        return self.run(stage, numbered.mapInArrow(task, tasks.SCHEMA), 0, files)

    def run_cells(self, stage, cells, task, files):
        """Runs tasks for cells, each of which has a name and a number of points. Returns the messages of all tasks."""
        task.snapshot = files.snapshot()
        task.shares = shares(cells, self.tasks_for(stage, cells, files))
        count = len(task.shares)
        rows = self.spark.range(0, count, 1, count).mapInArrow(task, tasks.SCHEMA)
        return self.run(stage, rows, count, files)

    def run(self, stage, rows, count, files):
        self.report_progress(stage, 0, count)
        watch = ProgressWatch(self, stage)
        try:
            with self.job_group():
                return tasks.messages_of(rows.collect(), files)
        except Exception as error:
            raise CoveyError(f"{stage}: {message_of(error)}") from error
        finally:
            watch.end()

    @contextlib.contextmanager
    def job_group(self):
        """Puts Spark's jobs into a group of this build. If the build is interrupted, they are cancelled."""
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

    def report_progress(self, stage, done, total):
        if self.progress:
            self.progress(stage, done, total)

    def note(self, text):
        """Logs a note, unless progress is off."""
        if self.progress:
            log_line(text)

    def counters(self):
        return {name: counter.value for name, counter in self.accumulators.items()}

    def hadoop_setting(self, name):
        """The value of a setting of Spark's Hadoop, or None."""
        if self.context is None:
            return self.conf(f"spark.hadoop.{name}")
        return self.context._jsc.hadoopConfiguration().get(name)

    def hadoop_supports(self, scheme):
        """Whether Spark's Hadoop has a file system for addresses with this scheme."""
        if self.context is None:
            return False
        try:
            self.context._jvm.org.apache.hadoop.fs.FileSystem.getFileSystemClass(
                scheme, self.context._jsc.hadoopConfiguration())
            return True
        except Exception:
            return False

    def exists(self, address):
        """Whether a file exists at an address of Hadoop."""
        system, target = self.hadoop(address)
        return system.exists(target)

    def upload(self, path, address):
        """Copies a file or folder of the driver to an address of Hadoop."""
        system, target = self.hadoop(address)
        system.copyFromLocalFile(False, True, self.context._jvm.org.apache.hadoop.fs.Path(f"file://{path}"), target)

    def hadoop(self, address):
        target = self.context._jvm.org.apache.hadoop.fs.Path(address)
        return target.getFileSystem(self.context._jsc.hadoopConfiguration()), target


def named_by_hash(binary):
    """The path of a copy of the program whose name has a hash of its bytes. Spark keeps one file of each name, so another
    name could clash with another version, or with what --archives unpacks as `covey`. The copy is removed when this
    process ends, because workers fetch it until then.
    """
    with open(binary, "rb") as file:
        name = f"covey-{hashlib.sha256(file.read()).hexdigest()[:16]}"
    if name not in COPIES:
        folder = tempfile.mkdtemp(prefix="covey-program-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        COPIES[name] = shutil.copy(binary, os.path.join(folder, name))
    return COPIES[name]


def shares(cells, count):
    """Divides cells into at most `count` shares of consecutive cells with about the same number of points. The largest
    share is first, so that it does not start last."""
    total = sum(points + 1 for _, points in cells)
    found, passed = {}, 0
    for name, points in cells:
        middle = passed + (points + 1) / 2
        weight, names = found.setdefault(int(middle * count / total), (0, []))
        names.append(name)
        found[int(middle * count / total)] = (weight + points + 1, names)
        passed += points + 1
    return [names for _, names in sorted(found.values(), key=lambda share: -share[0])]


def message_of(error):
    """The message of a `TaskFailure`, or Spark's own message without the stack traces of Java and Python."""
    text = str(error)
    own = re.search(r"\[\[covey: (.*?):covey\]\]", text, re.DOTALL)
    if own:
        return in_python(own[1])
    text = re.split(r"\s*(?:Driver stacktrace:)?\s*\n\s*at ", text)[0]
    text = re.sub(r"^An error occurred while calling .*\n: (?:[\w.$]+: )?", "", text)
    text = re.sub(r"(?s).*Traceback \(most recent call last\):\n(?:\s[^\n]*\n)*", "a Python worker raised ", text)
    return text.strip()


class ProgressWatch:
    """A thread that reports the progress of a stage each second."""

    def __init__(self, cluster, stage):
        self.is_over = threading.Event()
        self.thread = None
        if cluster.progress is None or cluster.context is None:
            return
        self.cluster, self.stage = cluster, stage
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        tracker = self.cluster.context.statusTracker()
        reported = 0
        while not self.is_over.wait(1):
            jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self.cluster.name)]
            own = {stage for job in jobs if job for stage in job.stageIds}
            infos = [tracker.getStageInfo(stage) for stage in own.intersection(tracker.getActiveStageIds())]
            done = sum(info.numCompletedTasks for info in infos if info)
            total = sum(info.numTasks for info in infos if info)
            if done != reported and total:
                reported = done
                self.cluster.report_progress(self.stage, done, total)

    def end(self):
        self.is_over.set()
        if self.thread:
            self.thread.join()


def log_progress(stage, done, total):
    of = f" of {total}" if total else ""
    log_line(f"{stage}: {done}{of} tasks")


LOG = logging.getLogger("covey_spark")


def log_line(text):
    """Logs a line, or prints it on standard error if no logging is set up."""
    if LOG.level == logging.NOTSET:
        LOG.setLevel(logging.INFO)
    if LOG.hasHandlers():
        LOG.info("%s", text)
    elif LOG.isEnabledFor(logging.INFO):
        with contextlib.suppress(OSError, ValueError):  # a closed standard error does not end the build
            print(f"covey: {text}", file=sys.stderr, flush=True)
