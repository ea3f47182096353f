"""What a record says, whichever program wrote it: rows, options, scores, and the same match in two files."""
