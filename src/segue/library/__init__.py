"""A library of the user's own clips: how people went on from moments like those at a gap."""
