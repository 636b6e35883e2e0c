"""One saved database per released format, and what must be found in each after migration."""
