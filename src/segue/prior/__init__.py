"""A learned prior: a network that proposes how people cross gaps."""
