"""`findable export`: write all tables of a crawl file."""

from contextlib import closing
from pathlib import Path

from findable.cli.crawl_output import FOLDER_FORMATS, require_packages, write_tables
from findable.cli.formats import export_targets
from findable.errors import SettingError
from findable.export.table_files import TableFormat
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_store import CrawlStoreError


def export(file: Path, targets: tuple[str, ...], /) -> int:
    """Write all tables of a crawl, with the list of fixes. Nothing is requested; a crawl that has not ended has fewer tables.

    Args:
        file: Crawl file of `findable crawl`.
        targets: parquet=FOLDER, csv=FOLDER or ndjson=FOLDER: a file for each table; xlsx=FILE: a workbook with a sheet for each.
    """
    chosen = export_targets(targets, TableFormat, FOLDER_FORMATS, "export")
    for target in chosen:
        if not target.is_folder and target.format_ in FOLDER_FORMATS:
            raise SettingError("export", f"{target.path} is not a folder")
    require_packages(chosen)
    try:
        with closing(CrawlFile(file, read_only=True)) as opened:
            state = opened.state()
            if state is None:
                raise SettingError("export", f"{file} has no crawl")
            for target in chosen:
                write_tables(opened, state, target)
    except CrawlStoreError as error:
        raise SettingError("export", str(error)) from error
    return 0
