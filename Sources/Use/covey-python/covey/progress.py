"""How far a build is, in one line that moves."""

import json
import sys


def is_watched() -> bool:
    """Whether a notebook or a terminal shows what is written."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


class Progress:
    """Shows the program's lines of progress: `{"stage": "read", "done": 5, "total": 9, "unit": "bytes", …}`."""

    def __init__(self) -> None:
        self.width = 0

    def show(self, line: str) -> bool:
        """Whether the line was one of progress."""
        if not line.startswith('{"'):
            return False
        try:
            told = json.loads(line)
            text = " ".join(filter(None, [told["stage"], told.get("subject")]))
        except (ValueError, KeyError):
            return False
        if told.get("unit"):
            text += f": {told['done']:,}"
            text += f" of {told['total']:,} {told['unit']}" if told.get("total") else f" {told['unit']}"
        self.write(text)
        return True

    def finish(self) -> None:
        self.write("")
        sys.stderr.write("\r")
        sys.stderr.flush()

    def write(self, text: str) -> None:
        # What is left of a longer line is painted over; notebooks know no codes for that.
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)
