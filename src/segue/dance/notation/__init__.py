"""The ballroom notation: symbols, steps and patterns, read from text and written back."""
