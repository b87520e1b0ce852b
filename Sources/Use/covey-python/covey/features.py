"""Writes points that are no table, as JSON."""

import decimal
import json
import math
from typing import IO, Any, Callable, Dict, Iterable, Iterator


def features(points: Any) -> Callable[[IO[bytes]], None]:
    """A function that writes the points: a collection as one, all others as a feature or record on each line."""
    points = as_dict(points)
    if isinstance(points, dict):
        return collection(points) if points.get("type") == "FeatureCollection" else lines([points])
    if not isinstance(points, Iterable):
        raise TypeError(f"points cannot be a {type(points).__name__}: a table, something with __geo_interface__, an "
                        "iterable of points or names of files can")
    return lines(points)


def collection(points: Dict[str, Any]) -> Callable[[IO[bytes]], None]:
    """A function that writes a collection, with the coordinate system that it declares."""
    head = {"type": "FeatureCollection", **({"crs": points["crs"]} if points.get("crs") else {})}

    def feed(pipe: IO[bytes]) -> None:
        pipe.write(as_json(head)[:-1].encode() + b',"features":[\n')
        comma = b""
        for point in points["features"]:
            for each in members(as_dict(point)):
                pipe.write(comma + as_json(each).encode())
                comma = b",\n"
        pipe.write(b"\n]}\n")
    return feed


def lines(points: Iterable[Any]) -> Callable[[IO[bytes]], None]:
    def feed(pipe: IO[bytes]) -> None:
        for point in points:
            for each in members(as_dict(point)):
                pipe.write(as_json(each).encode() + b"\n")
    return feed


def as_dict(point: Any) -> Any:
    """A geometry or feature of any library as its `__geo_interface__`; a named tuple as a dict."""
    if hasattr(point, "_asdict"):
        return point._asdict()
    return getattr(point, "__geo_interface__", point)


def members(point: Any) -> Iterator[Dict[str, Any]]:
    """The features or records in an element of an iterable."""
    if not isinstance(point, dict):
        yield feature({"type": "Point", "coordinates": list(point)})
    elif point.get("type") == "FeatureCollection":
        yield from (as_dict(each) for each in point["features"])
    elif "type" in point and ("coordinates" in point or "geometries" in point):
        yield feature(point)
    else:
        # A feature, or a record, whose columns the program finds as those of a table.
        yield point


def feature(geometry: Dict[str, Any]) -> Dict[str, Any]:
    return {"type": "Feature", "properties": {}, "geometry": geometry}


def as_json(value: Any) -> str:
    """A value as JSON; NaN and infinities become null."""
    try:
        return json.dumps(value, allow_nan=False, default=plain)
    except ValueError:
        return json.dumps(without_nan(value), allow_nan=False)


def without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(each) for each in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return without_nan(plain(value))


def plain(value: Any) -> Any:
    """A value for JSON in place of one that it lacks: missing values of pandas, decimals, scalars of NumPy, times, others as text."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, decimal.Decimal):
        return float(value) if value.is_finite() else None
    for name in ("__geo_interface__", "tolist", "isoformat"):
        if hasattr(value, name):
            found = getattr(value, name)
            return found() if callable(found) else found
    return str(value)
