"""Questions about an archive."""

import json
import os
from typing import Any, Dict, Optional, Tuple

from .options import Path, arguments
from .program import run


def inspect(archive: Path, **options: Any) -> Dict[str, Any]:
    """What an archive holds: `covey inspect --json`."""
    held: Dict[str, Any] = json.loads(run(["inspect", os.fspath(archive), "--json", *arguments(options)]))
    return held


def clusters(archive: Path, cluster_id: Optional[int] = None, question: Optional[str] = None, *,
             containing: Optional[Tuple[float, float]] = None, zoom: Optional[int] = None, **options: Any) -> Any:
    """What is in a cluster: `covey clusters`.

    `clusters(archive, containing=(lon, lat), zoom=2)` finds one, or the point that is alone there;
    `clusters(archive, id, "leaves", limit=100)` asks about it. Features and shapes come as GeoJSON, an expansion zoom as a number, a box as four, a tree as
    text; a cluster without a parent has None.
    """
    words = ["clusters", os.fspath(archive)]
    if cluster_id is not None:
        words.append(str(cluster_id))
    if question is not None:
        words.append(question)
    if containing is not None:
        words += ["--containing", f"{containing[0]},{containing[1]}"]
    if zoom is not None:
        words += ["--zoom", str(zoom)]
    if question not in ("tree", "bbox", "expansion-zoom"):
        words.append("--geojson")
    told = run([*words, *arguments(options)])
    if question == "tree":
        return told
    if question == "bbox":
        return [float(number) for number in told.split(",")]
    answer = json.loads(told)
    return None if question in (None, "parent") and not answer["features"] else answer
