"""Examples that run from top to bottom (`python examples/01_load_look_save.py`), and the gallery of `make demo`."""
