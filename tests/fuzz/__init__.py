"""Fuzzing: mutated files, scripts and commands, each judged by the same oracle.

`python -m tests.fuzz --seconds 600` runs all formats; `test_fuzz.py` runs a few cases of each.
"""
