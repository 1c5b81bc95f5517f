"""The engine under the studio, Blender and notebooks: documents, memory of computed values, jobs, messages."""
