"""Building an archive."""

import json
import os
import tempfile
from typing import IO, Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .features import features
from .options import Path, arguments
from .program import run
from .progress import Progress, is_watched
from .tables import batches, is_table


Feed = Optional[Callable[[IO[bytes]], None]]


def build(points: Union[Path, Iterable[Any], Any, None], out: Path, *, layer: Optional[str] = None,
          recipe: Optional[Path] = None, progress: Optional[bool] = None, **options: Any) -> Dict[str, Any]:
    """Builds an archive, and returns the report.

    `points` is one of
    - a table: a GeoDataFrame, a GeoSeries, a DataFrame of pandas or Polars, a relation of DuckDB, or anything with
      Arrow's C stream; `lon` and `lat` name its columns of coordinates if they have unusual names;
    - an object with a `__geo_interface__`, or such a dict: features, collections of features, geometries;
    - an iterable of these, of (lon, lat), or of dicts with lon and lat; generators are read once, and not kept;
    - the names of files.

    The coordinate system is the one that a table or a collection declares, else `crs`, else longitude and latitude. With a
    recipe, points are None. `progress` shows the progress of the build, by default in notebooks and on terminals. All
    other arguments are options of `covey build`: `radius=40`, `max_zoom=14`, `force=True`.
    """
    words = ["build"]
    feed: Feed = None
    if recipe is not None:
        if points is not None:
            raise ValueError("a recipe names its points; pass None for them")
        words.append(os.fspath(recipe))
    else:
        named, feed = given(points)
        words += named
    if layer is not None or feed is not None:
        words += ["--layer", layer or "points"]
    return report_of([*words, "-o", os.fspath(out)], feed, progress, options)


def update(archive: Path, changes: Union[Path, Iterable[Any], Any, None] = None, *,
           delete: Optional[Iterable[Any]] = None,
           progress: Optional[bool] = None, **options: Any) -> Dict[str, Any]:
    """Updates an archive that was built with `keep_points=True`, and returns the report.

    `changes` are points as `build` takes them. A point whose id or `key` is in the archive replaces the one there; others
    are added. `delete` has the ids or keys of points to delete. All other arguments are options of `covey update`: `key="ref"`,
    `delete_where='["<", ["get", "seen"], 1700000000]'`, `changes_file="tiles.tsv"` for its `--changes`.
    """
    words = ["update", os.fspath(archive)]
    feed: Feed = None
    if changes is not None:
        named, feed = given(changes)
        words += named
    listed = options.pop("changes_file", None)
    if listed is not None:
        words += ["--changes", os.fspath(listed)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as gone:
        if delete is not None:
            gone.writelines(f"{key}\n" for key in keys(delete))
            gone.flush()
            words += ["--delete", gone.name]
        return report_of(words, feed, progress, options)


def keys(points: Iterable[Any]) -> List[str]:
    """The ids or keys as texts."""
    if isinstance(points, (str, bytes)) or hasattr(points, "columns"):
        raise TypeError(f"delete cannot be a {type(points).__name__}: a list or a column of ids or keys can")
    # A column of pandas with missing values has whole numbers as 7.0.
    texts = [str(int(each)) if hasattr(each, "is_integer") and each.is_integer() else str(each) for each in points]
    for text in texts:
        if "\n" in text or "\r" in text:
            raise ValueError(f"delete: a key has one line, not {text!r}")
    return texts


def given(points: Any) -> Tuple[List[str], Feed]:
    """The names of files for the command line, or - and a function that writes the points to a pipe."""
    if isinstance(points, (str, os.PathLike)):
        return [os.fspath(points)], None
    if isinstance(points, (list, tuple)) and are_paths(points):
        return [os.fspath(each) for each in points], None
    return ["-"], batches(points) if is_table(points) else features(points)


def report_of(words: List[str], feed: Feed, progress: Optional[bool], options: Dict[str, Any]) -> Dict[str, Any]:
    """Runs a command that makes an archive, and returns its report."""
    shown = Progress() if progress or (progress is None and is_watched()) else None
    words = [*words, "--json", "--progress", "json" if shown else "none", *arguments(options)]
    report: Dict[str, Any] = json.loads(run(words, feed, shown))
    return report


def are_paths(points: Sequence[Any]) -> bool:
    return bool(points) and all(isinstance(each, (str, os.PathLike)) for each in points)
