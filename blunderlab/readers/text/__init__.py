"""One position as text, as XG and BGBlitz copy it to the clipboard, in any of their languages."""

from blunderlab.readers.text.tables import looks_like, read

__all__ = ["looks_like", "read"]
