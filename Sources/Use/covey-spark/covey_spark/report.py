"""The report of a build."""

import collections
import re

from dataclasses import dataclass, field

from covey.options import in_python


@dataclass
class Report:
    points: int = 0
    records: int = 0
    # The counts of records that were left out, by reason, and messages about the first of them.
    rejected: dict = field(default_factory=dict)
    samples: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    cells: int = 0
    # Points that cells read, and cells that read a wider margin in a second attempt.
    looked: int = 0
    widened: int = 0
    # The program's report of the last stage, as that of `covey build`.
    merged: dict = field(default_factory=dict)
    # The values of Spark's accumulators; they count twice what ran twice.
    counters: dict = field(default_factory=dict)
    # The seconds that each stage took.
    seconds: dict = field(default_factory=dict)

    @property
    def bad_records(self):
        return sum(self.rejected.values())

    @property
    def tiles(self):
        return self.merged.get("tiles", 0)

    def __str__(self):
        left = ", ".join(f"{count} {re.sub('^left out ', '', reason)}" for reason, count in self.rejected.items())
        took = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())
        pieces = f"{self.cells} cells" if self.cells else "in one piece"
        return f"{self.points} points read{'; left out: ' if left else ''}{left}; {pieces}, {self.tiles} tiles ({took})"

    def add_reading(self, read):
        self.points, self.records = read["points"], read["records"]
        self.rejected, self.samples = read["rejected"], read["samples"]
        self.notes += read["notes"]

    def add_cells(self, cells):
        # The squares of the levels above read no points.
        cells = [cell for cell in cells if not cell["cell"].startswith("above")]
        self.looked += sum(cell["looked"] for cell in cells)
        self.widened += sum(cell["attempts"] > 1 for cell in cells)


# A report has at most so many samples.
MAX_SAMPLES = 10


def reading_of(parts):
    """The sums and the notes of all parts that were read."""
    rejected = collections.Counter()
    for part in parts:
        rejected.update(part["rejected"])
    return {
        "points": sum(part["points"] for part in parts), "records": sum(part["records"] for part in parts),
        "rejected": dict(rejected), "samples": [sample for part in parts for sample in part["samples"]][:MAX_SAMPLES],
        "notes": merge_notes(note for part in parts for note in part["notes"]),
    }


def merge_notes(notes):
    """The notes of all partitions: equal ones become one, with the sum of their rows."""
    rows = {}
    for note in notes:
        text = in_python(re.sub(r"^partition \d+ of ", "", note))
        count = re.search(r"\b\d+(?= rows?\b)|(?<=, of )\d+(?=;)|$", text)
        key = text[:count.start()], re.sub("^ row ", " rows ", text[count.end():])
        rows[key] = rows.get(key, 0) + int(count[0] or 0)
    return [f"{begin}{count or ''}{end if count != 1 else re.sub('^ rows ', ' row ', end)}"
            for (begin, end), count in rows.items()]
