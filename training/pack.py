"""Pack a library into the examples that train.py reads. usage: pack.py LIBRARY EXAMPLES.npz."""

from __future__ import annotations

import sys
from pathlib import Path

from packed import write_examples

from segue.library import Library
from segue.prior.examples import Examples
from segue.prior.tables import figure_tables

if __name__ == "__main__":
    write_examples(Path(sys.argv[2]), Examples.of_clips(Library(sys.argv[1])), figure_tables())
