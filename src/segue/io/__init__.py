"""Files in and out: every format becomes a `Clip` at this door and leaves through it as it came.

The suffix sets the format. Units and axes stay those of the file; a clip's `origin` keeps what the file had beyond
joints and frames.
"""

from segue.io.files import check_writable, read, register_format, write, write_motion

__all__ = ["check_writable", "read", "register_format", "write", "write_motion"]
