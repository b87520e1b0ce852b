"""Finds the program and runs it."""

import os
import re
import shutil
import subprocess
import sysconfig
import threading
from pathlib import Path
from typing import IO, Callable, List, Optional, Sequence

from .options import in_python
from .progress import Progress


class CoveyError(RuntimeError):
    """The error message of the program, with its options in the spelling of Python."""


def program() -> str:
    """The path of the program: the one that COVEY names, the one of this package, or the one on the PATH."""
    named = os.environ.get("COVEY")
    if named:
        return named
    package = Path(__file__).resolve().parent
    # `pip install --target` installs programs in a folder beside packages.
    candidates = [Path(sysconfig.get_path("scripts")) / "covey", package.parent / "bin" / "covey"]
    for path in candidates:
        if os.access(path, os.X_OK) and path.is_file():
            return str(path)
    found = shutil.which("covey")
    if found is None:
        raise CoveyError("there is no program covey: install the wheel that carries it, or name it in COVEY")
    return found


def run(words: Sequence[str], feed: Optional[Callable[[IO[bytes]], None]] = None,
        shown: Optional[Progress] = None) -> str:
    """Runs `covey WORDS…` and returns its output; `feed` is called with its standard input."""
    process = subprocess.Popen(
        [program(), *words], stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = opened(process.stdout), opened(process.stderr)
    errors: List[str] = []
    reader = threading.Thread(target=read_errors, args=(err, errors, shown), daemon=True)
    reader.start()
    broken = None
    try:
        if feed is not None:
            try:
                feed(opened(process.stdin))
                opened(process.stdin).close()
            except BrokenPipeError as error:
                # The program ended, and its error output says why.
                broken = error
        output = out.read()
        process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        reader.join()
        if shown:
            shown.finish()
        out.close()
        err.close()
    if process.returncode != 0 or broken:
        raise CoveyError(message("".join(errors)) or f"covey ended with {process.returncode}") from broken
    return output.decode()


def opened(pipe: Optional[IO[bytes]]) -> IO[bytes]:
    """A pipe of a process that was started with one."""
    if pipe is None:
        raise ValueError("the program has no such pipe")
    return pipe


def read_errors(pipe: IO[bytes], errors: List[str], shown: Optional[Progress]) -> None:
    """Shows the lines of progress, and adds the others to `errors`."""
    for line in pipe:
        text = line.decode(errors="replace")
        if shown is None or not shown.show(text):
            errors.append(text)


def message(text: str) -> str:
    """The program's error output as the message of a `CoveyError`, without the program's name at the beginning of lines."""
    return in_python(re.sub("^covey: ", "", text.strip(), flags=re.MULTILINE))
