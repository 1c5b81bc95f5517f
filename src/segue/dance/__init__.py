"""Ballroom dance [Lake1990]: from notation to footsteps on the beat, and their performance by the figure."""
