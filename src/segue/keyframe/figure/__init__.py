"""The whole figure on a dynamic spline: its coordinates, bodies and forces, keyframes and their improvement."""
