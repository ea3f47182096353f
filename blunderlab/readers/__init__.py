"""File formats in, Tables out: one module a format, and `choose`, which finds the right one by content."""
