"""Reads the same points in many coordinate systems and formats, and compares each position with GDAL's.

    check_places.py INTEROP_PLACES

GDAL's programs must use the same PROJ as Covey, as Debian's do: the best transformation depends on the version
of the library and on its grids.
"""

import concurrent.futures
import functools
import json
import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyogrio.raw

COUNT = 200
MILLIMETRE = 0.001
METRES_PER_DEGREE = 111_320

# Coordinate systems, each with a box in its area of use: west, south, east, north.
SYSTEMS = {
    "EPSG:25832": (6.5, 47.5, 11.5, 55),  # UTM on ETRS89
    "EPSG:32733": (12.5, -28, 17.5, -1),  # UTM, south
    "EPSG:26910": (-125.5, 40, -120.5, 60),  # UTM on NAD83
    "EPSG:23030": (-5.5, 37, -0.5, 43),  # UTM on ED50, another datum
    "EPSG:27700": (-5, 50.5, 1, 58),  # Great Britain
    "EPSG:2154": (-4, 42.5, 8, 51),  # France
    "EPSG:31370": (2.8, 49.6, 6.2, 51.4),  # Belgium
    "EPSG:28992": (3.6, 50.9, 7, 53.4),  # The Netherlands
    "EPSG:2056": (6.2, 45.9, 10.3, 47.7),  # Switzerland
    "EPSG:31467": (7.6, 47.4, 10.4, 55),  # Germany's old zones; north is first
    "EPSG:31287": (9.7, 46.5, 17, 49),  # Austria; north is first
    "EPSG:5514": (12.3, 47.9, 22.4, 51),  # Czechia and Slovakia
    "EPSG:2180": (14.3, 49.2, 24, 54.7),  # Poland; north is first
    "EPSG:3006": (11, 55.4, 24, 69),  # Sweden; north is first
    "EPSG:3067": (20, 60, 31, 70),  # Finland
    "EPSG:3844": (20.5, 43.8, 29.5, 48.2),  # Romania; north is first
    "EPSG:2100": (20, 35, 28, 41.5),  # Greece
    "EPSG:2193": (167, -47, 178, -35),  # New Zealand; north is first
    "EPSG:7855": (144.5, -43, 149.5, -12),  # Australia
    "EPSG:2451": (138.6, 35, 140.9, 37),  # Tokyo; north is first
    "EPSG:2263": (-74.2, 40.5, -72, 41.2),  # New York, in feet
    "EPSG:5070": (-122, 26, -70, 48),  # Albers
    "EPSG:3035": (-9, 36, 30, 70),  # Lambert, equal areas
    "EPSG:6933": (-179, -80, 179, 80),  # cylinder, equal areas
    "EPSG:3857": (-179, -84, 179, 84),
    "EPSG:3413": (-179, 61, 179, 84),  # the Arctic
    "EPSG:3031": (-179, -84, 179, -61),  # the Antarctic
    "EPSG:4267": (-120, 30, -75, 48),  # degrees of NAD27
    "EPSG:4314": (6.5, 47.5, 13, 54),  # degrees of DHDN
    "EPSG:4617": (-140, 42, -50, 83),  # degrees of Canada's NAD83, a metre from the older one
    "EPSG:4258": (-9, 36, 30, 70),
    "EPSG:4269": (-120, 30, -75, 48),
    "EPSG:7415": (3.6, 50.9, 7, 53.4),  # compound: the Dutch grid and heights
    "EPSG:5555": (6.5, 47.5, 11.5, 55),  # compound: UTM and heights
    "ESRI:102008": (-160, 25, -60, 70),
    '''PROJCS["own",GEOGCS["bessel",DATUM["own",SPHEROID["Bessel",6377397.155,299.1528128],
        TOWGS84[598.1,73.7,418.2,0.202,0.045,-2.455,6.7]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
        PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",11],
        PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],
        UNIT["metre",1]]''': (10, 47, 12, 49),
}


def transform(points, source, target):
    """The positions of points by GDAL, east first."""
    text = "".join(f"{x!r} {y!r}\n" for x, y in points)
    run = subprocess.run(["gdaltransform", "-output_xy", "-s_srs", source, "-t_srs", target], input=text,
                         capture_output=True, text=True, check=True)
    return [tuple(map(float, line.split())) for line in run.stdout.splitlines()]


@functools.cache
def projjson(system):
    run = subprocess.run(["gdalsrsinfo", "-o", "projjson", system], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def binaries(points):
    return [struct.pack("<BIdd", 1, 1, *point) for point in points]


def write_csv(path, points, _):
    path.write_text("x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in points))


def write_geojson(path, points, system):
    features = [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": point}}
                for point in points]
    crs = {"type": "name", "properties": {"name": system}}
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": features}))


def write_by_gdal(path, points, system):
    numbers = numpy.arange(len(points))
    pyogrio.raw.write(path, numpy.array(binaries(points), dtype=object), [numbers], ["n"], crs=system,
                      geometry_type="Point", layer_options={"SPATIAL_INDEX": "NO"})


def write_parquet(path, points, system):
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {
        "geometry": {"encoding": "WKB", "geometry_types": ["Point"], "crs": projjson(system)}}}
    table = pa.table({"geometry": binaries(points)}).replace_schema_metadata({"geo": json.dumps(geo)})
    pa.parquet.write_table(table, path)


def write_arrow(path, points, system):
    meta = {"ARROW:extension:name": "geoarrow.wkb",
            "ARROW:extension:metadata": json.dumps({"crs": projjson(system)})}
    schema = pa.schema([pa.field("geometry", pa.binary(), metadata=meta)])
    pa.feather.write_feather(pa.table([pa.array(binaries(points))], schema), path)


# Formats that declare their system; for CSV an option names it.
WRITERS = {"geojson": write_geojson, "gpkg": write_by_gdal, "fgb": write_by_gdal, "parquet": write_parquet,
           "arrow": write_arrow}


def apart(one, other):
    """The distance of two near positions in metres."""
    east = (one[0] - other[0] + 180) % 360 - 180
    return METRES_PER_DEGREE * math.hypot(east * math.cos(math.radians(other[1])), one[1] - other[1])


def read(program, system, paths):
    """The positions in each file."""
    run = subprocess.run([program, system, *paths], capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    lines, places = iter(run.stdout.splitlines()), {}
    for line in lines:
        name, count = line.rsplit(" ", 1)
        places[Path(name)] = [tuple(map(float, next(lines).split())) for _ in range(int(count))]
    return places


def check(system):
    """The largest distance to GDAL's positions for each format, in metres."""
    program, (west, south, east, north) = sys.argv[1], SYSTEMS[system]
    source = random.Random(system)
    degrees = [(source.uniform(west, east), source.uniform(south, north)) for _ in range(COUNT)]
    points = transform(degrees, "EPSG:4326", system)
    wanted = transform(points, system, "EPSG:4326")
    with tempfile.TemporaryDirectory() as folder:
        table, paths = Path(folder, "points.csv"), []
        write_csv(table, points, system)
        for ending, write in WRITERS.items():
            paths.append(Path(folder, f"points.{ending}"))
            write(paths[-1], points, system)
        places = read(program, system, [table]) | read(program, "", paths)
    for path, found in places.items():
        assert len(found) == COUNT, f"{path}: {len(found)} points"
    return {path.suffix: max(map(apart, found, wanted)) for path, found in places.items()}


def main():
    with concurrent.futures.ProcessPoolExecutor() as pool:
        errors = dict(zip(SYSTEMS, pool.map(check, SYSTEMS)))
    far = [f"{system[:40]} as {ending}: {metres:.4f} m" for system, by_ending in errors.items()
           for ending, metres in by_ending.items() if not metres <= MILLIMETRE]
    if far:
        sys.exit("places: not where GDAL puts them: " + "; ".join(far))
    worst = max(metres for by_ending in errors.values() for metres in by_ending.values())
    print(f"places: {COUNT} points in {len(SYSTEMS)} systems and {len(WRITERS) + 1} formats are where GDAL puts "
          f"them, to {1e6 * worst:.3f} micrometres")


if __name__ == "__main__":
    main()
