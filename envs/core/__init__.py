"""One adapter of each kind over any game; nothing here knows a game."""
