"""Curves and rotations: the mathematics every other package stands on; imports nothing of Segue."""
