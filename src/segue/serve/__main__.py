"""`python -m segue.serve --stdio [FOLDER]`: the engine as the child of another program."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Serve on standard input and output; return the exit code."""
    if sys.argv[1:2] != ["--stdio"] or len(sys.argv) > 3:
        print("use: python -m segue.serve --stdio [FOLDER]", file=sys.stderr)
        return 2
    from segue.serve.stdio import serve_stdio

    return serve_stdio(Path(sys.argv[2]) if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    sys.exit(code)
