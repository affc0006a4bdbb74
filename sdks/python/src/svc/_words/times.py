"""The times at which events were received, as people say them, in UTC."""

from __future__ import annotations

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def stretch_of(start: str, end: str) -> str:
    """Return the stretch between two service times: `1 to 31 March 2026`, or the hours within one day."""
    first, last = _parts(start), _parts(end)
    if first["date"] == last["date"]:
        clock = first["clock"] if first["clock"] == last["clock"] else f"{first['clock']} to {last['clock']}"
        return f"{first['date']}, {clock} UTC"
    if first["month"] == last["month"]:
        return f"{first['day']} to {last['date']}"
    own = f"{first['day']} {first['name']}" if first["year"] == last["year"] else first["date"]
    return f"{own} to {last['date']}"


def _parts(time: str) -> dict[str, str]:
    year, day, name = time[:4], time[8:10].removeprefix("0"), _MONTHS[int(time[5:7]) - 1]
    return {
        "year": year, "day": day, "name": name, "clock": time[11:16],
        "month": f"{name} {year}", "date": f"{day} {name} {year}",
    }  # fmt: skip
