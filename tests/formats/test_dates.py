"""Dates, times and durations of ISO 8601."""

import pytest

from findable.formats.dates import DateFault, date_fault, is_iso_duration, is_iso_time

DATES = [
    *(
        (text, None)
        for text in ("2024", "2024-05", "2024-05-01", "20240501", "2024-W18", "2024-W18-3", "2024-122", "2024-02-29", "-0044-03-15")
    ),
    *((text, None) for text in ("2024-05-01T10:00", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.123+02:00", "2024-05-01 10:00:00 +0200")),
    *((text, None) for text in ("2024-05-01T24:00:00", "20240501T100000Z", "2024-05-01T10Z")),
    *((text, DateFault.IMPOSSIBLE) for text in ("2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "2024-05-01T25:00", "2024-W54")),
    *((text, None) for text in ("2020-W53", "2024-366", "2024-05-01T00:00:60Z", "2024-05-01T00:00+14:00")),
    *(
        (text, DateFault.IMPOSSIBLE)
        for text in ("2024-W53", "2023-366", "2024-05-01T24:30", "2024-05-01T10:00+25:00", "2024-05-01T10:00+02:75")
    ),
    *((text, DateFault.EMPTY) for text in ("0001-01-01", "0000-00-00", "0001-01-01T00:00:00Z")),
    *((text, DateFault.NOT_ISO) for text in ("", "yesterday", "November 19, 2019", "19.11.2019", "11/19/2019", "2024/05/01", "2024-5-1")),
    *(
        (text, DateFault.NOT_ISO)
        for text in ("Tue, 19 Nov 2019 10:00:00 GMT", "Tue Nov 19 2019 10:00:00 GMT+0100", "1574157600", "2024-05-01T" + "9" * 99)
    ),
]


@pytest.mark.parametrize(("text", "fault"), DATES)
def test_date(text: str, fault: DateFault | None) -> None:
    assert date_fault(text) == fault


def test_times_and_durations() -> None:
    durations = ("PT30M", "P1DT2H", "P2W", "PT1H30M15.5S", "P0D", "PT0S", "P0Y0M0DT0H35M0.000S", "PT1,5H")
    times = ("10:00", "10:00:00", "10:00:00+02:00", "T10:00Z", "24:00")

    assert [text for text in durations if not is_iso_duration(text)] == []
    assert [text for text in ("", "P", "PT", "30 min", "3:45", "PT1H30", "PT 30M", "1H") if is_iso_duration(text)] == []
    assert [text for text in times if not is_iso_time(text)] == []
    assert [text for text in ("", "10am", "25:00", "10.00 Uhr", "10:61") if is_iso_time(text)] == []
