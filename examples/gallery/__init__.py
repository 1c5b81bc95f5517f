"""Gallery of `make demo`: the figures of [Rose1996], made by Segue, and pictures of everything else Segue does.

`python -m examples.gallery --help` lists the options of the command.
"""
