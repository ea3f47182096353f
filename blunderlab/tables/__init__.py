"""The contract: six tables, declared once (`schema`), built from columns (`draft`), kept together (`container`)."""

from blunderlab.tables.container import Tables, is_saved
from blunderlab.tables.schema import (
    DECISION_KEY,
    MOST_DECISIONS,
    SCHEMA,
    Column,
    describe,
    empty,
    frame,
)

__all__ = ["DECISION_KEY", "MOST_DECISIONS", "SCHEMA", "Column", "Tables", "describe", "empty", "frame", "is_saved"]  # fmt: skip
