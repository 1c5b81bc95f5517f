"""The engine under the studio, Blender and notebooks: documents, memory of computed values, jobs, messages."""

from segue.serve.document import Document
from segue.serve.preview import Evaluated, Preview

__all__ = ["Document", "Evaluated", "Preview"]
