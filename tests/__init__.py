"""Tests; a package, so that no other of that name is found before it."""
