"""Run configurations (YAML), found through importlib.resources, which needs this to be a package."""
