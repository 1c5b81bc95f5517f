"""BVH: a hierarchy of joints with rotation and position channels, then one row of numbers a frame.

The format states no units, no up axis and no rest rotation, so none is assumed here: a clip has the file's own numbers.
The reader accepts files as they are met in the wild. They have any order and count of channels a joint, position
channels on any joint (they replace its OFFSET), blanks and colons in names, keywords in any case, any line ending, and
several roots.

A clip that was read from BVH carries a `BvhRecord` and its rows, and is written back number for number.
"""

from segue.io.bvh.read import read_bvh
from segue.io.bvh.record import BvhRecord, EndSite, bvh_record
from segue.io.bvh.write import write_bvh

__all__ = ["BvhRecord", "EndSite", "bvh_record", "read_bvh", "write_bvh"]
