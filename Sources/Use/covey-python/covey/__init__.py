"""Vector tiles with clusters baked in.

    import covey

    covey.build("places.geojson", "places.pmtiles", radius=40)
    covey.build(frame, "places.pmtiles", aggregates={"total": "sum:value"})   # GeoPandas, Polars, DuckDB, …
    covey.update("places.mbtiles", changed, key="ref", delete=["a7"])         # built with keep_points=True
    covey.view(frame)                                                         # a map in the notebook
    covey.inspect("places.pmtiles")
    covey.clusters("places.pmtiles", containing=(13.4, 52.5), zoom=2)

Options of `build` are those of `covey build`, with _ for -.
"""

from importlib import metadata

from .options import arguments
from .program import CoveyError, program, run
from .build import build, update
from .questions import clusters, inspect
from .server import Server, serve, view

try:
    __version__ = metadata.version("covey")
except metadata.PackageNotFoundError:
    # The sources themselves, without the wheel.
    __version__ = "0"

__all__ = ["CoveyError", "Server", "arguments", "build", "clusters", "inspect", "program", "run", "serve", "update", "view"]
