"""Both games in other people's tools; each file needs the tool that it is named after (an extra of this package)."""
