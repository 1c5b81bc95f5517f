"""Old place of operator trees, which are in `expressions`."""

from segue.view.expressions import Operator as Operator
from segue.view.expressions import composition as composition
from segue.view.expressions import operator_tree as operator_tree
