"""What came of a build."""

import collections
import re

from dataclasses import dataclass, field

from covey.options import in_python


@dataclass
class Report:
    points: int = 0
    records: int = 0
    # Records that were left out, by reason, and some of each.
    rejected: dict = field(default_factory=dict)
    samples: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    cells: int = 0
    # Points that cells looked at, and cells that had to look further around than at first.
    looked: int = 0
    widened: int = 0
    # What the last stage says: the report of `covey build`.
    merged: dict = field(default_factory=dict)
    # The sums of accumulators; what was run twice counts twice.
    counters: dict = field(default_factory=dict)
    # How long each stage took.
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

    def take_reading(self, read):
        self.points, self.records = read["points"], read["records"]
        self.rejected, self.samples = read["rejected"], read["samples"]
        self.notes += read["notes"]

    def take_cells(self, cells):
        # What is above cells looks at no points.
        cells = [cell for cell in cells if not cell["cell"].startswith("above")]
        self.looked += sum(cell["looked"] for cell in cells)
        self.widened += sum(cell["attempts"] > 1 for cell in cells)


SAMPLES = 10


def reading(parts):
    """What all parts that were read tell together."""
    rejected = collections.Counter()
    for part in parts:
        rejected.update(part["rejected"])
    return {
        "points": sum(part["points"] for part in parts), "records": sum(part["records"] for part in parts),
        "rejected": dict(rejected), "samples": [words for part in parts for words in part["samples"]][:SAMPLES],
        "notes": together(note for part in parts for note in part["notes"]),
    }


def together(notes):
    """The notes of all partitions, each once, with its rows added up."""
    rows = {}
    for note in notes:
        words = in_python(re.sub(r"^partition \d+ of ", "", note))
        count = re.search(r"\b\d+(?= rows?\b)|(?<=, of )\d+(?=;)|$", words)
        key = words[:count.start()], re.sub("^ row ", " rows ", words[count.end():])
        rows[key] = rows.get(key, 0) + int(count[0] or 0)
    return [f"{begin}{count or ''}{end if count != 1 else re.sub('^ rows ', ' row ', end)}"
            for (begin, end), count in rows.items()]
