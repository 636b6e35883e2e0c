"""Copies of the database that are kept without anyone asking: made once a day, checked before they are used."""

import logging
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreFullError
from core.store.library import Library

log = logging.getLogger(__name__)

_DAILY = "daily"


def back_up_daily(library: Library) -> Path | None:
    """Copy the database unless that was done today (UTC); returns the copy, None when there was nothing to do.

    A disk too full for a copy is logged and does not stop the program.
    """
    today = datetime.now(UTC).strftime("%Y%m%d")
    if any(library.home.backups.glob(f"{_DAILY}-{today}T*.sqlite")):
        return None
    try:
        return library.database.back_up(_DAILY)
    except StoreFullError as error:
        log.warning("no backup today: %s", error)
        return None


def renew_backups(library: Library) -> Path:
    """Replace every backup by one of the library as it is: what was forgotten must not come back from a copy."""
    old = list(library.home.backups.glob("*.sqlite"))
    fresh = library.database.back_up(_DAILY)
    for copy in old:
        copy.unlink(missing_ok=True)
    return fresh
