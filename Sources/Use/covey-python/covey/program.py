"""The program itself: where it is, and running it."""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path


class CoveyError(RuntimeError):
    """What the program said when it ended without success."""


def program():
    """The path of the program: what COVEY names, what came with this package, or what is on the PATH."""
    named = os.environ.get("COVEY")
    if named:
        return named
    package = Path(__file__).resolve().parent
    # `pip install --target` puts programs beside packages.
    beside = [Path(sysconfig.get_path("scripts")) / "covey", package.parent / "bin" / "covey"]
    for path in beside:
        if os.access(path, os.X_OK) and path.is_file():
            return str(path)
    found = shutil.which("covey")
    if found is None:
        raise CoveyError("there is no program covey: install the wheel that carries it, or name it in COVEY")
    return found


def run(words, feed=None):
    """Runs `covey WORDS…` and returns what it printed; `feed` is called with its standard input."""
    process = subprocess.Popen(
        [program(), *words], stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    broken = None
    try:
        if feed is not None:
            try:
                feed(process.stdin)
                process.stdin.close()
            except BrokenPipeError as error:
                # The program says itself why it went away.
                broken = error
        process.stdin = None
        out, said = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if process.returncode != 0 or broken:
        # Every problem of a line begins with the program's name, which those who pass it on put there.
        words = re.sub("^covey: ", "", said.decode(errors="replace").strip(), flags=re.MULTILINE)
        raise CoveyError(words or f"covey ended with {process.returncode}") from broken
    return out.decode()
