"""What workers do: feed the program, and tell what came of it.

This module, `objects`, `store` and `outputs` go to workers as they are, so they may need nothing of ours there but the program.
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

from .outputs import Unable
from .objects import StoreError
from .store import answered, own_folder

# What to do where the program does not start.
HINTS = {
    errno.ENOEXEC: ": it is for another kind of machine than this worker ({}); name one with binary=",
    errno.EACCES: ": programs may not be started there; put it elsewhere on the workers and name it with binary=",
    errno.ENOENT: ": it is not there, or wants a loader that this worker has not; name one with binary=",
}

# So much of what a task made waits at most until it goes to a store.
MOST_WAITING = 256 << 20

# One row for each part or cell: what the program said of it. Points never come this way.
SCHEMA = "told string"


def unpacked(rows, place):
    """What tasks told, while a place learns what they made."""
    found = [json.loads(row["told"]) for row in rows]
    for each in found:
        if "made" in each:
            place.hear(each["made"])
    return [each for each in found if "made" not in each]


class TaskFailure(RuntimeError):
    """A failure, in words that the driver finds in whatever Spark wraps around them."""

    def __init__(self, words):
        super().__init__(f"[[covey: {words}:covey]]")


class Finder:
    """Where the program is on a worker."""

    def __init__(self, path, shipped):
        self.path = path
        self.shipped = shipped

    def __call__(self):
        if self.path:
            return self.path
        from pyspark import SparkFiles
        # What --archives has unpacked, and then what the driver has sent.
        found = [os.path.join(root, name) for root in (os.getcwd(), SparkFiles.getRootDirectory())
                 for name in ("covey/bin/covey", "covey/covey")]
        if self.shipped:
            found.append(SparkFiles.get(self.shipped))
        for path in found:
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
    """The bytes of memory that this machine or container has."""
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


def told(messages, made):
    """What came of a task, and what objects of a store it made: where they are told, none has to be looked for."""
    import pyarrow as pa
    messages = [*messages, *({"made": each} for each in made)]
    return pa.RecordBatch.from_pydict({"told": pa.array([json.dumps(m) for m in messages], pa.string())})


@contextlib.contextmanager
def started(program, words, said, stdin=subprocess.DEVNULL):
    """The program at work, which ends when that does, however it ends. What it says to people goes to a file."""
    try:
        process = subprocess.Popen([program, *words], stdin=stdin, stdout=subprocess.PIPE, stderr=said)
    except OSError as error:
        raise TaskFailure(f"{program}: {error.strerror}{HINTS.get(error.errno, '').format(platform.machine())}") from error
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def words_in(said):
    said.seek(0)
    # Its name is put before what is passed on; every problem of a line begins with it.
    return re.sub("^covey: ", "", said.read().decode(errors="replace").strip(), flags=re.MULTILINE)


class Task:
    counter = {}
    # What the driver knows of the job's files, where they are in a store.
    known = ()
    # For each row that a task gets what it is to do.
    shares = []

    def __call__(self, batches):
        for batch in batches:
            for index in batch.column(0).to_pylist():
                self.made = []
                yield told(self.run(self.shares[index]), self.made)

    def count(self, **amounts):
        for name, amount in amounts.items():
            if name in self.counter:
                self.counter[name].add(amount)

    @contextlib.contextmanager
    def files(self, subject):
        """The files of the job; `subject` says what they are for, where their store refuses them."""
        try:
            with self.folder.at_hand() as place:
                yield place
                place.give()
                if place.made:
                    self.made.append(place.made)
        except StoreError as error:
            raise TaskFailure(f"{subject()}: {error}") from error

    def learn(self, place):
        """What is in the job: from the driver, or from the store where this task may have been run before."""
        from pyspark import TaskContext
        context = TaskContext.get()
        place.learn(*self.known)
        if context is not None and context.attemptNumber():
            place.refresh()

    @contextlib.contextmanager
    def begun(self, words, place, subject):
        """The program at work; `subject` says what about, where it fails."""
        with tempfile.TemporaryFile() as said:
            with started(self.finder(), [*words, "--job", place.path], said, subprocess.PIPE) as process:
                yield process
                process.wait()
            if process.returncode == 0:
                return
            words = place.told(words_in(said))
            if process.returncode < 0:
                words = f"killed by signal {-process.returncode}, as for want of memory. {words}".strip()
            words = words or f"ended with {process.returncode}"
            # Mostly the program says itself what it was about.
            raise TaskFailure(words if subject() in words else f"{subject()}: {words}")


class Reading(Task):
    """Turns the rows of a partition into a part of the job's points."""

    # What the columns are called.
    names = []

    def __init__(self, finder, folder, recipe, layer, threads, counter, columns):
        self.finder, self.folder, self.recipe, self.layer = finder, folder, recipe, layer
        self.threads, self.counter = threads, counter
        # Functions, and not their module: workers may not have it.
        self.schema, self.plain = columns.plain_schema, columns.plain

    def __call__(self, batches):
        from pyspark import TaskContext
        first = next(batches, None)
        if first is None:
            return
        context, self.made = TaskContext.get(), []
        subject = f"partition {context.partitionId() if context else 0} of {self.layer}"
        with self.files(lambda: subject) as place:
            words = ["cells", "read", place.lay("recipe.json", self.recipe), "--into", self.layer,
                     "--input-name", subject, "--threads", str(self.threads), "--quiet"]
            with self.begun(words, place, lambda: subject) as process:
                self.feed(process, first, batches, subject)
                out = process.stdout.read()
        part = json.loads(out)
        part["memory"], part["cores"] = memory(), os.cpu_count() or 1
        self.count(points=part["points"], bad_records=sum(part["rejected"].values()))
        yield told([part], self.made)

    def feed(self, process, batch, batches, subject):
        import pyarrow as pa
        schema = self.schema(pa.schema([field.with_name(name) for name, field in zip(self.names, batch.schema)]))
        try:
            with pa.ipc.new_stream(process.stdin, schema) as writer:
                while batch is not None:
                    named = pa.RecordBatch.from_arrays(batch.columns, names=self.names)
                    writer.write_batch(self.plain(named, schema))
                    batch = next(batches, None)
            process.stdin.close()
        except BrokenPipeError:
            pass  # it says itself why it went away
        except pa.ArrowInvalid as error:
            raise TaskFailure(f"{subject}: {error}") from error


class Cells(Task):
    """Runs a phase for cells."""

    def __init__(self, finder, folder, phase, threads, counter):
        self.finder, self.folder, self.phase = finder, folder, phase
        self.threads, self.counter = threads, counter

    def run(self, cells):
        done = []

        def subject():
            finished = {cell["cell"] for cell in done}
            kind = "part" if self.phase == "index" else "cell"
            return f"{kind} {next((cell for cell in cells if cell not in finished), cells[-1])}"

        with self.files(subject) as place:
            self.learn(place)
            words = ["cells", self.phase, "--cells", ",".join(cells), "--threads", str(self.threads), "--quiet",
                     *place.words]
            with self.begun(words, place, subject) as process:
                for line in answered(process, place):
                    cell = json.loads(line)
                    place.cut(f"{self.phase}/{cell['cell']}", cell.pop("cuts", ()))
                    # What is done stays, if not every little bit at once.
                    place.give(MOST_WAITING)
                    done += [cell] if "cell" in cell else []
        if self.phase == "cluster":
            self.count(cells=len(done), nodes=sum(cell["nodes"] for cell in done),
                       cells_run_twice=sum(cell["attempts"] > 1 or not cell["new"] for cell in done))
        return done


class Gathering(Task):
    """Makes one part of many, or of what many hold of a stretch of the curve."""

    def __init__(self, finder, folder, recipe, lists, threads):
        self.finder, self.folder, self.recipe, self.threads = finder, folder, recipe, threads
        # For each task the parts that it takes, and which share of them, as "1/4".
        self.lists = lists

    def run(self, tasks):
        return [part for task in tasks for part in self.gather(*self.lists[int(task)])]

    def gather(self, names, share):
        with self.files(lambda: "the parts") as place, place.lent(names) as parts:
            self.learn(place)
            words = ["cells", "gather", place.lay("recipe.json", self.recipe), "--parts", parts, "--task", share,
                     "--threads", str(self.threads), "--quiet", *place.words]
            with self.begun(words, place, lambda: "the parts") as process:
                parts = [json.loads(line) for line in answered(process, place)]
        return parts


class Whole(Task):
    """Builds the archive in one piece, where that fits the memory."""

    def __init__(self, finder, folder, recipe, parts, name, memory, threads):
        self.finder, self.folder, self.recipe, self.parts = finder, folder, recipe, parts
        self.name, self.memory, self.threads = name, memory, threads

    def run(self, _):
        with self.files(lambda: "the archive") as place, place.lent(self.parts) as parts:
            self.learn(place)
            os.makedirs(os.path.dirname(place.at(self.name)), exist_ok=True)
            words = ["cells", "whole", place.lay("recipe.json", self.recipe), "--parts", parts, "--memory",
                     str(self.memory), "--threads", str(self.threads or os.cpu_count() or 1), "-o",
                     place.at(self.name), "--force", "--json", "--quiet", *place.words]
            with self.begun(words, place, lambda: "the archive") as process:
                report = b"".join(answered(process, place))
        # It says nothing of an archive that does not fit.
        return [{"report": json.loads(report) if report.strip() else None}]


class Top(Task):
    """Runs the phase that has all cells in one memory."""

    def __init__(self, finder, folder, threads):
        self.finder, self.folder, self.threads = finder, folder, threads

    def run(self, _):
        with self.files(lambda: "the top") as place:
            self.learn(place)
            words = ["cells", "top", "--quiet", "--threads", str(self.threads or os.cpu_count() or 1), *place.words]
            with self.begun(words, place, lambda: "the top") as process:
                for _ in answered(process, place):
                    pass
        return [{"cell": "the top"}]


class Copying(Task):
    """Writes pieces of the archive to where the driver has begun it."""

    def __init__(self, finder, folder, pieces, output, threads):
        self.finder, self.folder, self.pieces, self.output = finder, folder, pieces, output
        self.threads = threads

    def run(self, numbers):
        return [self.copy(self.pieces[int(number)]) for number in numbers]

    def copy(self, piece):
        length = piece["end"] - piece["start"]
        subject = f"bytes {piece['offset']}-{piece['offset'] + length} of the archive"
        try:
            self.output.check()
            with self.files(lambda: subject) as place, own_folder() as own:
                self.learn(place)
                path = os.path.join(own, "piece")
                words = ["cells", "merge", "--bytes", f"{piece['offset']}-{piece['offset'] + length}", "-o", path,
                         "--threads", str(self.threads), "--quiet", *place.words]
                with self.begun(words, place, lambda: subject) as process:
                    for _ in answered(process, place):
                        pass
                if os.path.getsize(path) != length:
                    raise TaskFailure(f"{subject}: the program wrote {os.path.getsize(path)} bytes")
                return {**piece, "parts": self.output.write(piece, path)}
        except Unable as reason:
            return {"unable": str(reason)}
