"""Clips that come with Segue, made by its own code on a figure of 1.75 m: to try things out, and to compose with.

They stand on the floor y = 0 and face +Z. Gestures begin and end as `stand` begins; `walk` and `run` begin and end in
the middle of a stride.
"""

from segue.clips.library import FPS, NAMES, STATURE, clip

__all__ = ["FPS", "NAMES", "STATURE", "clip"]
