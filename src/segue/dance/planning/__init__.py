"""From patterns to footsteps and goals on the beat."""
