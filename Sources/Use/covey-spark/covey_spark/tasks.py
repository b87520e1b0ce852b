"""What workers run: tasks that run the program and return its messages.

Spark sends this module, `objects`, `store` and `outputs` to workers, which need only the program besides.
"""

import contextlib
import errno
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile

from .outputs import TasksCannotWrite
from .objects import StoreError
from .store import output_lines, temporary_folder, temporary_text

# Advice for errors that a start of the program raises.
HINTS = {
    errno.ENOEXEC: ": it is for another kind of machine than this worker ({}); name one with binary=",
    errno.EACCES: ": programs may not be started there; put it elsewhere on the workers and name it with binary=",
    errno.ENOENT: ": it is not there, or wants a loader that this worker has not; name one with binary=",
}

# A task uploads its files whenever the new ones have so many bytes, and at its end. With few objects, later tasks make
# few requests.
UPLOAD_SIZE = 1 << 30

# A task returns rows with messages in JSON: one for each part or cell, and what it uploaded. It returns no points.
SCHEMA = "message string"


def result_rows(messages, uploaded):
    """The rows that a task returns: its messages, and what it uploaded."""
    import pyarrow as pa
    messages = [*messages, *({"uploaded": each} for each in uploaded)]
    return pa.RecordBatch.from_pydict({"message": pa.array([json.dumps(each) for each in messages], pa.string())})


def messages_of(rows, files):
    """The messages in the rows that tasks returned; what the tasks uploaded is added to the files of the job."""
    messages = [json.loads(row["message"]) for row in rows]
    for each in messages:
        if "uploaded" in each:
            files.add_uploaded(each["uploaded"])
    return [each for each in messages if "uploaded" not in each]


class TaskFailure(RuntimeError):
    """A failure, with marks by which the driver finds the message inside Spark's own."""

    def __init__(self, message):
        super().__init__(f"[[covey: {message}:covey]]")


class ProgramFinder:
    """Finds the program on a worker."""

    def __init__(self, path, sent_file):
        """
        - `path`: the program's path on the workers, if it is known.
        - `sent_file`: the name of the file that the driver sent.
        """
        self.path = path
        self.sent_file = sent_file

    def __call__(self):
        if self.path:
            return self.path
        from pyspark import SparkFiles
        # What --archives unpacked takes precedence over what the driver sent.
        candidates = [os.path.join(root, name) for root in (os.getcwd(), SparkFiles.getRootDirectory())
                      for name in ("covey/bin/covey", "covey/covey")]
        if self.sent_file:
            candidates.append(SparkFiles.get(self.sent_file))
        for path in candidates:
            if os.path.isfile(path):
                if not os.access(path, os.X_OK):
                    os.chmod(path, 0o755)
                return path
        try:
            import covey
            return covey.program()
        except Exception:
            pass
        if shutil.which("covey"):
            return shutil.which("covey")
        raise TaskFailure("this worker has no program covey: name it with binary=, ship it with --archives, "
                          "or install the wheel that carries it")


def memory():
    """The memory of this machine or container, in bytes."""
    sizes = []
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path) as file:
                sizes.append(int(file.read()))
        except (OSError, ValueError):
            pass
    try:
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        pass
    return min(sizes, default=0)


@contextlib.contextmanager
def running(program, arguments, errors, stdin=subprocess.DEVNULL):
    """Runs the program, and kills it if it still runs at the end. Its error output goes to a file."""
    try:
        process = subprocess.Popen([program, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=errors)
    except OSError as error:
        raise TaskFailure(f"{program}: {error.strerror}{HINTS.get(error.errno, '').format(platform.machine())}") from error
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def message_in(errors):
    """The program's error output, without its name at the beginning of lines, which the driver adds itself."""
    errors.seek(0)
    return re.sub("^covey: ", "", errors.read().decode(errors="replace").strip(), flags=re.MULTILINE)


class Task:
    accumulators = {}
    # The arguments of `add` for the files of the job, from the driver.
    snapshot = ()
    # For each row of a stage the cells, parts or pieces that a task works on.
    shares = []

    def __call__(self, batches):
        for batch in batches:
            for index in batch.column(0).to_pylist():
                self.uploaded = []
                yield result_rows(self.run(self.shares[index]), self.uploaded)

    def count(self, **amounts):
        for name, amount in amounts.items():
            if name in self.accumulators:
                self.accumulators[name].add(amount)

    @contextlib.contextmanager
    def job_files(self, subject):
        """Opens the files of the job, and uploads the new ones at the end. Errors of the store name the subject."""
        try:
            with self.folder.open() as files:
                yield files
                files.upload()
                if files.uploaded:
                    self.uploaded.append(files.uploaded)
        except StoreError as error:
            raise TaskFailure(f"{subject()}: {error}") from error

    def add_snapshot(self, files):
        """Adds the driver's snapshot. A second attempt lists the store too, because the first may have uploaded."""
        from pyspark import TaskContext
        context = TaskContext.get()
        files.add(*self.snapshot)
        if context is not None and context.attemptNumber():
            files.refresh()

    @contextlib.contextmanager
    def program(self, arguments, files, subject):
        """Runs the program. Its errors name the subject."""
        with tempfile.TemporaryFile() as errors:
            with running(self.finder(), [*arguments, "--job", files.path], errors, subprocess.PIPE) as process:
                yield process
                process.wait()
            if process.returncode == 0:
                return
            message = files.with_addresses(message_in(errors))
            if process.returncode < 0:
                message = f"killed by signal {-process.returncode}, as for want of memory. {message}".strip()
            message = message or f"ended with {process.returncode}"
            # Most messages of the program name the subject already.
            raise TaskFailure(message if subject() in message else f"{subject()}: {message}")

    def run_program(self, arguments, files, subject):
        """Runs the program to its end, and returns the lines that it printed."""
        with self.program([*arguments, *files.options], files, subject) as process:
            return list(output_lines(process, files))


class ReadTask(Task):
    """Writes the rows of a partition to a part of the job."""

    # The names of the columns.
    names = []

    def __init__(self, finder, folder, recipe, layer, threads, accumulators, columns):
        self.finder, self.folder, self.recipe, self.layer = finder, folder, recipe, layer
        self.threads, self.accumulators = threads, accumulators
        # The functions and not their module, which workers may not have.
        self.plain_schema, self.plain = columns.plain_schema, columns.plain

    def __call__(self, batches):
        from pyspark import TaskContext
        first = next(batches, None)
        if first is None:
            return
        context, self.uploaded = TaskContext.get(), []
        subject = f"partition {context.partitionId() if context else 0} of {self.layer}"
        with self.job_files(lambda: subject) as files:
            arguments = ["cells", "read", files.write_locally("recipe.json", self.recipe), "--into", self.layer,
                         "--input-name", subject, "--threads", str(self.threads), "--quiet"]
            with self.program(arguments, files, lambda: subject) as process:
                self.send_rows(process, first, batches, subject)
                out = process.stdout.read()
        part = json.loads(out)
        part["memory"], part["cores"] = memory(), os.cpu_count() or 1
        self.count(points=part["points"], bad_records=sum(part["rejected"].values()))
        yield result_rows([part], self.uploaded)

    def send_rows(self, process, batch, batches, subject):
        import pyarrow as pa
        schema = self.plain_schema(pa.schema([field.with_name(name) for name, field in zip(self.names, batch.schema)]))
        try:
            with pa.ipc.new_stream(process.stdin, schema) as writer:
                while batch is not None:
                    named = pa.RecordBatch.from_arrays(batch.columns, names=self.names)
                    writer.write_batch(self.plain(named, schema))
                    batch = next(batches, None)
            process.stdin.close()
        except BrokenPipeError:
            pass  # the program ended, and its error output says why
        except pa.ArrowInvalid as error:
            raise TaskFailure(f"{subject}: {error}") from error


class CellTask(Task):
    """Runs a phase for some cells."""

    def __init__(self, finder, folder, phase, threads, accumulators):
        self.finder, self.folder, self.phase = finder, folder, phase
        self.threads, self.accumulators = threads, accumulators

    def run(self, cells):
        done = []

        def subject():
            finished = {cell["cell"] for cell in done}
            kind = "part" if self.phase == "index" else "cell"
            return f"{kind} {next((cell for cell in cells if cell not in finished), cells[-1])}"

        with self.job_files(subject) as files:
            self.add_snapshot(files)
            arguments = ["cells", self.phase, "--cells", ",".join(cells), "--threads", str(self.threads), "--quiet",
                         *files.options]
            with self.program(arguments, files, subject) as process:
                for line in output_lines(process, files):
                    cell = json.loads(line)
                    files.set_cuts(f"{self.phase}/{cell['cell']}", cell.pop("cuts", ()))
                    # If the task fails later, what it has uploaded is kept.
                    files.upload(UPLOAD_SIZE)
                    done.append(cell)
        if self.phase == "cluster":
            self.count(cells=len(done), nodes=sum(cell["nodes"] for cell in done),
                       cells_run_twice=sum(cell["attempts"] > 1 or not cell["new"] for cell in done))
        return done


class GatherTask(Task):
    """Writes the points of many parts, or a share of them, to one part."""

    def __init__(self, finder, folder, recipe, lists, threads):
        """`lists`: for each task the parts that it reads, and its share of them, as "1/4"."""
        self.finder, self.folder, self.recipe, self.threads = finder, folder, recipe, threads
        self.lists = lists

    def run(self, tasks):
        return [part for task in tasks for part in self.gather(*self.lists[int(task)])]

    def gather(self, names, share):
        with self.job_files(lambda: "the parts") as files, temporary_text(names) as parts:
            self.add_snapshot(files)
            arguments = ["cells", "gather", files.write_locally("recipe.json", self.recipe), "--parts", parts, "--task", share,
                         "--threads", str(self.threads), "--quiet"]
            return [json.loads(line) for line in self.run_program(arguments, files, lambda: "the parts")]


class WholeTask(Task):
    """Builds the archive in one piece, if that fits into memory."""

    def __init__(self, finder, folder, recipe, parts, name, memory, threads):
        self.finder, self.folder, self.recipe, self.parts = finder, folder, recipe, parts
        self.name, self.memory, self.threads = name, memory, threads

    def run(self, _):
        with self.job_files(lambda: "the archive") as files, temporary_text(self.parts) as parts:
            self.add_snapshot(files)
            os.makedirs(os.path.dirname(files.at(self.name)), exist_ok=True)
            arguments = ["cells", "whole", files.write_locally("recipe.json", self.recipe), "--parts", parts, "--memory",
                         str(self.memory), "--threads", str(self.threads or os.cpu_count() or 1), "-o",
                         files.at(self.name), "--force", "--json", "--quiet"]
            report = b"".join(self.run_program(arguments, files, lambda: "the archive"))
        # If the archive does not fit, the program prints no report.
        return [{"report": json.loads(report) if report.strip() else None}]


class TopTask(Task):
    """Runs the phase that holds the nodes of all cells in memory."""

    def __init__(self, finder, folder, threads):
        self.finder, self.folder, self.threads = finder, folder, threads

    def run(self, _):
        with self.job_files(lambda: "the top") as files:
            self.add_snapshot(files)
            self.run_program(["cells", "top", "--quiet", "--threads", str(self.threads or os.cpu_count() or 1)],
                             files, lambda: "the top")
        return [{"cell": "the top"}]


class MergeTask(Task):
    """Writes pieces of the archive to the files or uploads that the driver has begun."""

    def __init__(self, finder, folder, pieces, output, threads):
        self.finder, self.folder, self.pieces, self.output = finder, folder, pieces, output
        self.threads = threads

    def run(self, numbers):
        return [self.merge(self.pieces[int(number)]) for number in numbers]

    def merge(self, piece):
        length = piece["end"] - piece["start"]
        byte_range = f"{piece['offset']}-{piece['offset'] + length}"
        subject = f"bytes {byte_range} of the archive"
        try:
            self.output.check()
            with self.job_files(lambda: subject) as files, temporary_folder() as folder:
                self.add_snapshot(files)
                # Most of the bytes of a job are those of the archive.
                files.waste = 0
                path = os.path.join(folder, "piece")
                self.run_program(["cells", "merge", "--bytes", byte_range, "-o", path, "--threads", str(self.threads), "--quiet"],
                                 files, lambda: subject)
                if os.path.getsize(path) != length:
                    raise TaskFailure(f"{subject}: the program wrote {os.path.getsize(path)} bytes")
                return {**piece, "parts": self.output.write(piece, path)}
        except TasksCannotWrite as reason:
            return {"cannot_write": str(reason)}
