"""Motion graphs: every good place to leave one clip of a library and to enter another, with the transitions made."""

from segue.graph.build import BuildOptions, BuildReport
from segue.graph.graph import Graph
from segue.graph.routing import Route, Seam, Step
from segue.graph.selection import Budget

__all__ = ["Budget", "BuildOptions", "BuildReport", "Graph", "Route", "Seam", "Step"]
