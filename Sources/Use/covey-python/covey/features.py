"""Points that come one by one, as GeoJSON."""

import json
import math
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List

LONGITUDES = ("lon", "lng", "long", "longitude", "x")
LATITUDES = ("lat", "latitude", "y")


def features(points: Any) -> Callable[[IO[bytes]], None]:
    """What writes the points as a collection of GeoJSON features."""
    points = as_dict(points)
    head = {"type": "FeatureCollection"}
    if isinstance(points, dict):
        if points.get("crs"):
            head["crs"] = points["crs"]
        points = points["features"] if points.get("type") == "FeatureCollection" else [points]
    elif not isinstance(points, Iterable):
        raise TypeError(f"points cannot be a {type(points).__name__}: a table, something with __geo_interface__, an "
                        "iterable of points or names of files can")

    def feed(pipe: IO[bytes]) -> None:
        pipe.write(spelled(head)[:-1].encode() + b',"features":[\n')
        comma = b""
        for point in points:
            for each in members(as_dict(point)):
                pipe.write(comma + spelled(each).encode())
                comma = b",\n"
        pipe.write(b"\n]}\n")
    return feed


def as_dict(point: Any) -> Any:
    """A geometry or feature of any library as the dict that it says it is."""
    return getattr(point, "__geo_interface__", point)


def members(point: Any) -> Iterator[Dict[str, Any]]:
    """The features that an element of an iterable is."""
    if not isinstance(point, dict):
        yield feature(list(point), {})
    elif point.get("type") == "FeatureCollection":
        yield from (as_dict(each) for each in point["features"])
    elif point.get("type") == "Feature":
        # Properties may be missing with us, and other members mean nothing.
        yield point
    elif "coordinates" in point or "geometries" in point:
        yield {"type": "Feature", "properties": {}, "geometry": point}
    else:
        rest = dict(point)
        place = [rest.pop(first(rest, LONGITUDES)), rest.pop(first(rest, LATITUDES))]
        yield feature(place, rest)


def feature(place: List[Any], properties: Dict[str, Any]) -> Dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": {"type": "Point", "coordinates": place}}


def first(record: Dict[str, Any], names: Iterable[str]) -> str:
    for name in record:
        if str(name).lower() in names:
            return name
    raise ValueError(f"a point has none of {', '.join(names)}; it has {', '.join(map(str, record))}")


def spelled(value: Any) -> str:
    """A value as JSON; numbers that are none become null."""
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
    """What JSON has no word for: scalars of NumPy, moments, decimals and all that spells itself."""
    for name in ("__geo_interface__", "tolist", "isoformat"):
        if hasattr(value, name):
            found = getattr(value, name)
            return found() if callable(found) else found
    return str(value)
