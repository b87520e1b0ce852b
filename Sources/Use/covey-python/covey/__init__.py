"""Vector tiles with clusters baked in.

    import covey

    covey.build("places.geojson", "places.pmtiles", radius=40)
    covey.build(frame, "places.pmtiles", aggregates={"total": "sum:value"})   # GeoPandas, pandas, Arrow
    covey.inspect("places.pmtiles")
    covey.clusters("places.pmtiles", containing=(13.4, 52.5), zoom=6)

Options of `build` are those of `covey build`, with _ for -.
"""

from .options import arguments
from .program import CoveyError, program, run
from .points import build
from .questions import clusters, inspect

__all__ = ["CoveyError", "arguments", "build", "clusters", "inspect", "program", "run"]
