"""Tables as Parquet files, by pyarrow from the extra `parquet`. Imported only to write one."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from findable.control_characters import encodable
from findable.crawl.exported_table import ExportedTable
from findable.export.streamed_file import Pieces

GROUP_ROWS = 32_768
"""Number of rows from which batches in memory become a group of rows in the file."""
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
    reader, written = arrow_batches(table), Pieces()
    with pq.ParquetWriter(written, reader.schema, compression="zstd") as writer:
        batches: list[Any] = []
        rows = 0
        for batch in reader:
            batches.append(batch)
            rows += batch.num_rows
            if rows >= GROUP_ROWS:
                writer.write_table(pa.Table.from_batches(batches))
                batches, rows = [], 0
                yield written.take()
        writer.write_table(pa.Table.from_batches(batches, reader.schema))
    yield written.take()


def arrow_batches(table: ExportedTable) -> Any:
    """Return a reader of the batches of rows."""
    fields = (
        pa.field(column.name, _TYPES[column.type], metadata={"meaning": column.meaning, "since": column.since}) for column in table.columns
    )
    schema = pa.schema(fields)
    batches = (
        pa.record_batch([_array(cells, kind) for cells, kind in zip(batch, schema.types, strict=True)], schema=schema)
        for batch in table.batches
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def _array(values: Sequence[Any], kind: Any) -> Any:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(encodable(values), kind)
