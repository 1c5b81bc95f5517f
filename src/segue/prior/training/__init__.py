"""Training of priors, with PyTorch: the extra `segue[train]`."""
