"""The tests; a package, so that no other distribution's `tests` can stand in its place."""
