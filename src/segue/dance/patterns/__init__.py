"""The dance library: dances are folders, patterns are files."""
