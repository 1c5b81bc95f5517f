"""The dancing body: legs and arms in closed form, shapes that touch, and momentum."""
