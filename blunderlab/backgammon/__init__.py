"""What a position is in backgammon: boards, legal plays, notation and XGIDs.

Every board is an int8 array of 26 in the view of the player who moves or
decides; `blunderlab.backgammon.board` says how it is laid out.
"""
