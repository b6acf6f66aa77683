"""The Manor a second time: slow, obvious, plain Python, written from the rules specification alone.

Nothing here imports the game's kernel. The tests play both side by side and compare.
"""
