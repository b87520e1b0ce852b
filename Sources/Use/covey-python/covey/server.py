"""Serves archives, and shows maps in notebooks."""

import os
import re
import subprocess
import tempfile
import threading
import weakref
from typing import Any, List, Optional

from .build import build
from .options import Path, arguments
from .program import CoveyError, message, opened, program

ARCHIVES = (".pmtiles", ".mbtiles", "/")


class Server:
    """A process of `covey serve`: `url` is the address of its page, and `close()` ends it. A notebook shows the page.

    It listens on this machine only, and ends when Python ends.
    """

    def __init__(self, archives: List[str], options: List[str], *, height: int = 480,
                 folder: Optional["tempfile.TemporaryDirectory[str]"] = None) -> None:
        self.height = height
        self._process = subprocess.Popen(
            [program(), "serve", *options, *archives], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        # The process ends on `close`, when this object is discarded, or when Python ends.
        self._end = weakref.finalize(self, end, self._process, folder)
        self.url = self._address()
        # Its later messages are discarded, because a full pipe would stop it.
        threading.Thread(target=opened(self._process.stderr).read, daemon=True).start()

    def _address(self) -> str:
        errors: List[str] = []
        for line in opened(self._process.stderr):
            text = line.decode(errors="replace")
            found = re.search(r"serving .* at (http\S+/)", text)
            if found:
                return found.group(1)
            errors.append(text)
        self._process.wait()
        raise CoveyError(message("".join(errors)) or f"covey serve ended with {self._process.returncode}")

    def close(self) -> None:
        """Ends the server."""
        self._end()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<covey.Server at {self.url}>"

    def _repr_html_(self) -> str:
        return (f'<iframe src="{self.url}" style="width: 100%; height: {self.height}px; border: 0" '
                f'title="Map"></iframe>')


def end(process: "subprocess.Popen[bytes]", folder: Optional["tempfile.TemporaryDirectory[str]"]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()
    if folder:
        folder.cleanup()


def serve(*archives: Path, port: int = 0, **options: Any) -> Server:
    """Serves archives and folders of them: `with covey.serve("places.pmtiles") as server: … server.url`.

    Port 0 is any free port. All other arguments are options of `covey serve`.
    """
    # The address is read from the messages of the program.
    options.pop("quiet", None)
    options = {"port": port, **options}
    return Server([os.fspath(each) for each in archives], arguments(options))


def view(points: Any, *, height: int = 480, progress: Optional[bool] = None, **options: Any) -> Server:
    """Shows points or an archive on a map. A notebook shows the map if this is the last line of a cell.

    Points and options are those of `build`. Their archive is temporary, and is removed when the server ends. The browser
    must be on the machine that Python runs on.
    """
    folder = None
    archive = points
    is_archive = isinstance(points, (str, os.PathLike)) and (
        os.fspath(points).endswith(ARCHIVES) or os.path.isdir(points))
    if not is_archive:
        folder = tempfile.TemporaryDirectory(prefix="covey-")
        archive = os.path.join(folder.name, "points.pmtiles")
        build(points, archive, progress=progress, **options)
    elif options:
        raise TypeError(f"an archive is shown as it is; it has no option {next(iter(options))}")
    return Server([os.fspath(archive)], arguments({"port": 0, "embed": True}), height=height, folder=folder)
