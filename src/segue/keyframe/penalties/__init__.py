"""Penalties: what a path between keyframes should not do, one file each, with analytic gradients."""
