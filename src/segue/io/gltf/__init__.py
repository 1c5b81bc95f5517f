"""glTF 2.0: `read_glb` takes a skeleton and its animation from a .glb or .gltf, `write_glb` writes a .glb."""

from segue.io.gltf.reading import read_glb
from segue.io.gltf.writing import write_glb

__all__ = ["read_glb", "write_glb"]
