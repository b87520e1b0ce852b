"""What came of a build."""

from dataclasses import dataclass, field


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

    SAMPLES = 10

    @property
    def bad_records(self):
        return sum(self.rejected.values())

    @property
    def tiles(self):
        return self.merged.get("tiles", 0)

    def __str__(self):
        left = "".join(f"; {count} {reason} left out" for reason, count in self.rejected.items())
        took = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())
        pieces = f"{self.cells} cells" if self.cells else "in one piece"
        return f"{self.points} points read{left}; {pieces}, {self.tiles} tiles ({took})"

    def take_parts(self, parts):
        for part in parts:
            self.points += part["points"]
            self.records += part["records"]
            for reason, count in part["rejected"].items():
                self.rejected[reason] = self.rejected.get(reason, 0) + count
            self.samples += part["samples"][:max(0, self.SAMPLES - len(self.samples))]
            self.notes += [note for note in part["notes"] if note not in self.notes]

    def take_cells(self, cells):
        # What is above cells looks at no points.
        cells = [cell for cell in cells if not cell["cell"].startswith("above")]
        self.looked += sum(cell["looked"] for cell in cells)
        self.widened += sum(cell["attempts"] > 1 for cell in cells)
