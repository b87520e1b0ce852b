"""The program itself: where it is, and running it."""

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
    """What the program said when it ended without success; options are spelled as Python does."""


def program() -> str:
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


def run(words: Sequence[str], feed: Optional[Callable[[IO[bytes]], None]] = None,
        shown: Optional[Progress] = None) -> str:
    """Runs `covey WORDS…` and returns what it printed; `feed` is called with its standard input."""
    process = subprocess.Popen(
        [program(), *words], stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = opened(process.stdout), opened(process.stderr)
    said: List[str] = []
    listener = threading.Thread(target=listen, args=(err, said, shown), daemon=True)
    listener.start()
    broken = None
    try:
        if feed is not None:
            try:
                feed(opened(process.stdin))
                opened(process.stdin).close()
            except BrokenPipeError as error:
                # The program says itself why it went away.
                broken = error
        answer = out.read()
        process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        listener.join()
        if shown:
            shown.finish()
        out.close()
        err.close()
    if process.returncode != 0 or broken:
        raise CoveyError(told("".join(said)) or f"covey ended with {process.returncode}") from broken
    return answer.decode()


def opened(pipe: Optional[IO[bytes]]) -> IO[bytes]:
    """A pipe that was asked for."""
    if pipe is None:
        raise ValueError("the program has no such pipe")
    return pipe


def listen(pipe: IO[bytes], said: List[str], shown: Optional[Progress]) -> None:
    """Shows the lines of progress, and keeps the others."""
    for line in pipe:
        text = line.decode(errors="replace")
        if shown is None or not shown.show(text):
            said.append(text)


def told(words: str) -> str:
    """An error as it stands in a traceback: problems of a line begin with the program's name, which goes."""
    return in_python(re.sub("^covey: ", "", words.strip(), flags=re.MULTILINE))
