"""Questions about an archive."""

import json
import os
from typing import Any, Dict, Optional, Tuple

from .options import Path, arguments
from .program import run


def inspect(archive: Path, **options: Any) -> Dict[str, Any]:
    """What an archive holds: `covey inspect --json`."""
    found: Dict[str, Any] = json.loads(run(["inspect", os.fspath(archive), "--json", *arguments(options)]))
    return found


def clusters(archive: Path, cluster_id: Optional[int] = None, question: Optional[str] = None, *,
             containing: Optional[Tuple[float, float]] = None, zoom: Optional[int] = None, **options: Any) -> Any:
    """What a cluster contains: `covey clusters`.

    `clusters(archive, containing=(lon, lat), zoom=2)` finds the cluster or the single point there;
    `clusters(archive, id, "leaves", limit=100)` asks a question about it. The answer is GeoJSON for features and shapes, a
    number for an expansion zoom, a list of four for a box, a text for a tree, and None for a parent that does not exist.
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
    output = run([*words, *arguments(options)])
    if question == "tree":
        return output
    if question == "bbox":
        return [float(number) for number in output.split(",")]
    answer = json.loads(output)
    return None if question in (None, "parent") and not answer["features"] else answer
