"""Tables as Parquet files, by pyarrow from the extra `parquet`. Imported only to write one."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from findable.control_characters import encodable
from findable.crawl.exported_table import ExportedTable
from findable.export.pieces import Pieces

ROWS_AT_ONCE = 16_384
"""Number of rows in memory, which become a group of rows in the file."""
_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "time": pa.timestamp("us", "UTC"),
    "list of texts": pa.list_(pa.string()),
}


def parquet_file(table: ExportedTable) -> Iterator[bytes]:
    """Yield the pieces of a Parquet file, with the meanings of columns as their metadata."""
    batches, written = arrow_batches(table), Pieces()
    with pq.ParquetWriter(written, batches.schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            yield written.take()
    yield written.take()


def arrow_batches(table: ExportedTable) -> Any:
    """Return a reader of the rows in batches of ROWS_AT_ONCE."""
    fields = (
        pa.field(column.name, _TYPES[column.type], metadata={"meaning": column.meaning, "since": column.since}) for column in table.columns
    )
    schema, rows = pa.schema(fields), iter(table.rows)

    def batches() -> Iterator[Any]:
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            columns = [_array(values, kind) for values, kind in zip(zip(*batch, strict=True), schema.types, strict=True)]
            yield pa.record_batch(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _array(values: Sequence[Any], kind: Any) -> Any:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(encodable(values), kind)
