"""Building an archive."""

import json
import os
from typing import Any, Dict, Iterable, Optional, Sequence, Union

from .features import features
from .options import Path, arguments
from .program import run
from .progress import Progress, is_watched
from .tables import batches, is_table


def build(points: Union[Path, Iterable[Any], Any, None], out: Path, *, layer: Optional[str] = None,
          recipe: Optional[Path] = None, progress: Optional[bool] = None, **options: Any) -> Dict[str, Any]:
    """Builds an archive, and returns the report.

    `points` is one of
    - a table: a GeoDataFrame, a GeoSeries, a DataFrame of pandas or Polars, a relation of DuckDB, all that gives
      Arrow's C stream; `lon` and `lat` name its columns where their names don't tell;
    - what has a `__geo_interface__`, or is such a dict: features, collections of them, geometries;
    - an iterable of such, of (lon, lat), or of dicts with lon and lat; generators are read once, and not kept;
    - the names of files.

    Coordinates are what a table or a collection declares, else what `crs` says, else degrees. A recipe is
    built alone, with None for points. `progress` shows how far it is; without a word it does so in notebooks
    and on terminals. All else is an option of `covey build`: `radius=40`, `max_zoom=14`, `force=True`.
    """
    words = ["build"]
    feed = None
    if recipe is not None:
        if points is not None:
            raise ValueError("a recipe names its points; pass None for them")
        words.append(os.fspath(recipe))
    elif isinstance(points, (str, os.PathLike)):
        words.append(os.fspath(points))
    elif isinstance(points, (list, tuple)) and are_paths(points):
        words += [os.fspath(each) for each in points]
    else:
        words.append("-")
        feed = batches(points) if is_table(points) else features(points)
    if layer is not None or feed is not None:
        words += ["--layer", layer or "points"]
    shown = Progress() if progress or (progress is None and is_watched()) else None
    words += ["-o", os.fspath(out), "--json", "--progress", "json" if shown else "none", *arguments(options)]
    report: Dict[str, Any] = json.loads(run(words, feed, shown))
    return report


def are_paths(points: Sequence[Any]) -> bool:
    return bool(points) and all(isinstance(each, (str, os.PathLike)) for each in points)
