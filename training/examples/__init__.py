"""Both games in other people's tools, a short program each: `python -m reichenbach.training.examples.NAME`."""
