"""What to work on: from a frame of decisions to the ones that matter.

Each function takes derived `Tables` or rows of `decisions` and gives tidy frames, with n beside each number, its
interval where the theory gives one, and a verdict where the rules allow one.
"""

from blunderlab.study.match import MatchReport, match_report
from blunderlab.study.tempo import pace, paces

__all__ = ["MatchReport", "match_report", "pace", "paces"]
