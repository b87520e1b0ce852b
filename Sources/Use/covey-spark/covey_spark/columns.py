"""Converts Arrow columns to types that the program reads."""


def plain_type(kind):
    """The type that a column is converted to."""
    import pyarrow as pa
    types = pa.types
    if types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if types.is_decimal(kind):
        return pa.float64()
    if types.is_float16(kind):
        return pa.float32()
    if types.is_time(kind):
        return pa.string()
    if getattr(types, "is_string_view", lambda _: False)(kind):
        return pa.string()
    if getattr(types, "is_binary_view", lambda _: False)(kind):
        return pa.binary()
    return kind


def plain_schema(schema):
    """The schema of batches that `plain` returns. It leaves out nested columns, which no attribute can hold."""
    import pyarrow as pa
    kept = [field for field in schema if not pa.types.is_nested(field.type)]
    return pa.schema([pa.field(field.name, plain_type(field.type)) for field in kept])


def plain(batch, schema):
    """A record batch converted to a schema of `plain_schema`."""
    import pyarrow as pa
    import pyarrow.compute as pc
    columns = []
    for field in schema:
        column = batch.column(batch.schema.get_field_index(field.name))
        if pa.types.is_time(column.type):
            # Without trailing zeros, as the program writes timestamps: 12:34:56.5.
            digits = column.cast(pa.time64("ns")).cast(pa.string())
            column = pc.utf8_rtrim(pc.utf8_rtrim(digits, "0"), ".")
        columns.append(column if column.type == field.type else column.cast(field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)
