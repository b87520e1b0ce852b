"""Shows the progress of a build in one line."""

import json
import sys


def is_watched() -> bool:
    """Whether standard error is shown in a notebook or on a terminal."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


class Progress:
    """Shows the program's lines of progress: `{"stage": "read", "done": 5, "total": 9, "unit": "bytes", …}`."""

    def __init__(self) -> None:
        self.width = 0

    def show(self, line: str) -> bool:
        """Shows a line of progress. Returns whether the line is one."""
        if not line.startswith('{"'):
            return False
        try:
            progress = json.loads(line)
            text = " ".join(filter(None, [progress["stage"], progress.get("subject")]))
        except (ValueError, KeyError):
            return False
        if progress.get("unit"):
            text += f": {progress['done']:,}"
            text += f" of {progress['total']:,} {progress['unit']}" if progress.get("total") else f" {progress['unit']}"
        self.write(text)
        return True

    def finish(self) -> None:
        self.write("")
        sys.stderr.write("\r")
        sys.stderr.flush()

    def write(self, text: str) -> None:
        # Blanks overwrite the rest of a longer line, because notebooks have no control code for that.
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)
