"""What the games are, and their faces to other tools."""
