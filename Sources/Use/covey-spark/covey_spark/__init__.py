"""Vector tiles with clusters baked in, built by Spark: the same bytes as `covey build`.

    import covey_spark

    covey_spark.build(df, "s3a://maps/places.pmtiles", job="/shared/jobs/places", lon="lon", lat="lat",
                      radius=40, aggregates={"total": "sum:value"})

docs/spark.md says what a cluster needs.
"""

from covey import CoveyError
from .build import build
from .report import Report

__all__ = ["CoveyError", "Report", "build"]
