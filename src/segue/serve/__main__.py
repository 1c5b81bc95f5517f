"""`python -m segue.serve --stdio`: the engine as the child of another program."""

from __future__ import annotations

import sys


def main() -> int:
    """Serve on standard input and output; return the exit code."""
    if sys.argv[1:] != ["--stdio"]:
        print("use: python -m segue.serve --stdio", file=sys.stderr)
        return 2
    from segue.serve.stdio import serve_stdio

    return serve_stdio()


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    sys.exit(code)
