"""Runs tests against one mistake, and stops at the first that notices."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# No test needs that much; a mistake that makes a loop endless may take all there is.
MEMORY_LIMIT = 4 << 30


@dataclass
class Outcome:
    """`passed`, or what gave the mistake away: `failed`, `crashed`, `late` or `memory`."""

    kind: str
    """The test that failed, or the signal."""
    detail: str
    seconds: float

    @property
    def noticed(self):
        return self.kind != "passed"


class Bundle:
    """The compiled tests of a tree, copied so that the next build does not take them away."""

    def __init__(self, tree, scratch):
        self.tree = tree
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=scratch))
        built = (tree / ".build/debug").resolve()
        for name in ("coveyPackageTests.xctest", "covey"):
            shutil.copy(built / name, self.folder / name)
        for resources in built.glob("*.resources"):
            shutil.copytree(resources, self.folder / resources.name)
        self.program = self.folder / "coveyPackageTests.xctest"
        self.command = ["nice", "-n", "3", str(self.program), "--testing-library",
                        "swift-testing"]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def suites(self):
        """The suites, as `Module.Suite`, each with the names of its tests as failures tell them."""
        listing = subprocess.run(
            [*self.command, "--list-tests"], cwd=self.tree, check=True, capture_output=True,
            text=True).stdout
        suites = {}
        for line in listing.splitlines():
            suite, slash, test = line.partition("/")
            if slash:
                suites.setdefault(suite, set()).add(plain(test))
        return dict(sorted(suites.items()))

    def run(self, groups, number=None, reached=None, limit=600):
        """Runs the suites with a mistake switched on; `reached` is a file that notes which
        mistakes lie on the way."""
        folder = tempfile.mkdtemp(prefix="covey-mutants-")
        # Tests that leave themselves out where a library does not load would notice no mistake in loading it.
        environment = dict(os.environ, TMPDIR=folder, SWIFT_BACKTRACE="enable=no", COVEY_TEST_STRICT="1")
        if number is not None:
            environment["COVEY_MUTANT"] = str(number)
        if reached is not None:
            environment["COVEY_MUTANTS_REACHED"] = str(reached)
        names = "|".join(re.escape(group) for group in groups)
        process = subprocess.Popen(
            [*self.command, "--filter", f"^({names})/"], cwd=self.tree, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            text=True, errors="replace", start_new_session=True)
        watch = Watch(process, limit)
        try:
            failure = first_failure(process.stderr)
            if failure is None:
                process.wait()
        finally:
            watch.end()
            shutil.rmtree(folder, ignore_errors=True)
        if watch.reason:
            return Outcome(watch.reason, f"after {watch.seconds:.0f} s", watch.seconds)
        if failure:
            return Outcome("failed", failure, watch.seconds)
        if process.returncode < 0:
            return Outcome("crashed", signal.Signals(-process.returncode).name, watch.seconds)
        if process.returncode:
            return Outcome("failed", f"exit {process.returncode}", watch.seconds)
        return Outcome("passed", "", watch.seconds)


class Watch:
    """Ends a process that takes too long or too much memory; ends what is left of it in any case.

    What it takes is counted by the processor: on a busy machine it may only seem long. One that does
    next to nothing for a minute waits for good.
    """

    PATIENCE = 8
    STILL, LITTLE = 60, 0.6

    def __init__(self, process, limit):
        self.process, self.reason = process, None
        self.start, self.over = time.monotonic(), threading.Event()
        self.limit, self.deadline = limit, self.start + self.PATIENCE * limit
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        last, since = 0, self.start
        while not self.over.wait(0.2):
            now, worked = time.monotonic(), self.worked()
            if worked > last + self.LITTLE:
                last, since = worked, now
            if now > self.deadline or worked > self.limit or now > since + self.STILL:
                self.reason = "late"
            elif self.memory() > MEMORY_LIMIT:
                self.reason = "memory"
            if self.reason:
                self.kill()
                return

    def worked(self):
        """Seconds of all processors together."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
            # Behind the name, which may hold anything: own time and that of ended children.
            fields = text.rpartition(")")[2].split()[11:15]
            return sum(map(int, fields)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return 0

    def memory(self):
        try:
            pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def kill(self):
        """Ends the process and what it started, which may be in groups of its own."""
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                session = int(stat.read_text().rpartition(")")[2].split()[3])
                if session == self.process.pid:
                    os.kill(int(stat.parent.name), signal.SIGKILL)
            except (OSError, ValueError):
                continue

    def end(self):
        self.over.set()
        self.thread.join()
        self.seconds = time.monotonic() - self.start
        self.kill()
        self.process.stderr.close()
        self.process.wait()


def plain(test):
    """A test's name as both a listing, `a sum`(of:), and a failure, "a sum", tell it."""
    return re.sub(r"\(\S*\)$", "", test).strip('`"')


def first_failure(lines):
    """The name of the first test that records an issue; None if none does."""
    for line in lines:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line)
        if line.startswith("✘") and "recorded an issue" in line:
            name = re.match(r'✘ Test (?:case passing .*? to )?("[^"]*"|\S+)', line)
            return name.group(1) if name else line.strip()
    return None
