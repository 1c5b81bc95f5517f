"""The course that a dancer follows through a dance, planned before it begins, so that all later steps are known."""
