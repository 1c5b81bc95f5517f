"""What tests and benchmarks share: plans, trees, problems, and other implementations to compare with."""
