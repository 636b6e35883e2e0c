"""Programs that measure; they are run by hand or by CI, never collected by pytest."""
