"""The house stays simple: imports point inwards, packages say what they hold, modules have one subject."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import segue

SOURCE = Path(__file__).parents[1] / "src" / "segue"

# what each package may import of the others; what every one may import lies at the root
ANYWHERE = {"_lazy", "checks", "compiled", "errors", "filesystem", "settings", "tables", "toml_spans", "typing"}
ALLOWED = {
    "compiled": set(),
    "curves": set(),
    "body": {"curves"},
    "dynamics": {"body", "curves"},
    "motion": {"body", "curves", "dynamics"},
    "clips": {"body", "curves", "motion"},
    "spacetime": {"body", "curves", "dynamics", "motion"},
    "filling": {"body", "curves", "dynamics", "motion", "spacetime"},
    "prior": {"body", "curves", "dynamics", "motion", "spacetime", "filling"},
    "keyframe": {"body", "curves", "dynamics", "motion", "spacetime"},
    "plausibility": {"body", "curves", "dynamics", "motion"},
    "cycle": {"body", "curves", "dynamics", "motion", "spacetime"},
    "io": {"body", "curves", "motion", "plausibility"},
    "library": {"body", "curves", "dynamics", "io", "motion", "spacetime", "filling"},
    "graph": {
        "body",
        "curves",
        "dynamics",
        "filling",
        "io",
        "library",
        "motion",
        "plausibility",
        "spacetime",
    },
    "dance": {"body", "curves", "dynamics", "motion", "plausibility", "spacetime"},
    "view": {
        "body",
        "curves",
        "cycle",
        "dance",
        "dynamics",
        "graph",
        "keyframe",
        "library",
        "motion",
        "plausibility",
        "filling",
        "spacetime",
    },
    "language": {
        "body",
        "clips",
        "curves",
        "cycle",
        "dance",
        "dynamics",
        "files",
        "io",
        "keyframe",
        "library",
        "motion",
        "plausibility",
        "prior",
        "spacetime",
        "filling",
        "view",
    },
    "serve": {
        "body",
        "clips",
        "curves",
        "cycle",
        "dance",
        "dynamics",
        "files",
        "filling",
        "io",
        "keyframe",
        "language",
        "library",
        "motion",
        "plausibility",
        "prior",
        "spacetime",
        "view",
    },
    "studio": {
        "body",
        "clips",
        "curves",
        "cycle",
        "dance",
        "dynamics",
        "files",
        "filling",
        "io",
        "keyframe",
        "language",
        "library",
        "motion",
        "plausibility",
        "prior",
        "serve",
        "spacetime",
        "view",
    },
    "cli": {
        "serve",
        "studio",
        "_loading",
        "body",
        "clips",
        "curves",
        "cycle",
        "dance",
        "dynamics",
        "extensions",
        "files",
        "graph",
        "io",
        "keyframe",
        "library",
        "language",
        "motion",
        "plausibility",
        "prior",
        "spacetime",
        "filling",
        "view",
    },
}


def imports_of(file: Path) -> set[str]:
    """Return the names directly below `segue` that a module imports from, wherever in the module."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "segue":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("segue."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("segue.")}
    return found


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_point_inwards(package: str) -> None:
    for file in (SOURCE / package).rglob("*.py"):
        foreign = imports_of(file) - ALLOWED[package] - ANYWHERE - {package, "__version__"}
        assert not foreign, f"{file.relative_to(SOURCE)} imports {', '.join(sorted(foreign))}"


def test_every_package_is_in_the_table() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(ALLOWED)


def test_the_page_has_the_same_table() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Packages")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", section, re.MULTILINE)
    assert [(package, set(re.findall(r"`(\w+)`", imported))) for package, imported in rows] == list(ALLOWED.items())
    everywhere = section.partition("Every package may also import")[2].partition(".")[0]
    assert set(re.findall(r"`(\w+)`", everywhere)) - {"segue"} == ANYWHERE


def test_modules_have_one_subject() -> None:
    for file in SOURCE.rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.relative_to(SOURCE)


# modules below `segue.prior.training` are for those who have PyTorch
WITH_TORCH = "segue.prior.training"
HAS_TORCH = importlib.util.find_spec("torch") is not None


def test_what_is_exported_exists() -> None:
    for file in SOURCE.rglob("*.py"):
        if file.name == "__main__.py" or (not HAS_TORCH and file.parent == SOURCE / "prior" / "training"):
            continue
        dotted = ".".join(["segue", *file.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
        module = importlib.import_module(dotted)
        for name in getattr(module, "__all__", []):
            assert hasattr(module, name), f"{dotted} exports {name}, which it does not have"


# modules that make something of every joint that is no table of indices: limits of angles, strengths, bodies of MuJoCo
EACH_JOINT = {
    "cycle/likeness.py",
    "dance/gestures/anatomy.py",
    "dance/simulation/classic/limbs.py",
    "dance/simulation/control/motor_programs.py",
    "dance/simulation/model.py",
    "dance/simulation/result.py",
    "io/mjcf.py",
    "motion/fit.py",
    "motion/report.py",
    "motion/tracks.py",
    "motion/options.py",
    "plausibility/limits.py",
    "plausibility/torque.py",
}
FROM_HUMAN, FROM_LAYOUT = {"HUMAN"}, {"ROOT_POSITION", "Hinge", "Joint", "Layout", "mirror_name", "side_of"}


def loops_over_joints(tree: ast.AST) -> bool:
    """Whether a module loops over the joints of HUMAN or of a figure's layout."""
    loops = (node.iter for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension))
    return any(
        isinstance(part, ast.Attribute)
        and part.attr == "joints"
        and ast.unparse(part.value).endswith(("HUMAN", "layout"))
        for loop in loops
        for part in ast.walk(loop)
    )


def test_only_body_makes_tables_of_the_joints() -> None:
    looping = set()
    for file in SOURCE.rglob("*.py"):
        name = file.relative_to(SOURCE).as_posix()
        if name.startswith("body/"):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in ("segue.body.human", "segue.body.layout"):
                known = FROM_HUMAN if node.module == "segue.body.human" else FROM_LAYOUT
                assert {alias.name for alias in node.names} <= known, f"{name} imports a table of the joints"
        if loops_over_joints(tree):
            looping.add(name)
    assert looping == EACH_JOINT, "the layout should hold what these compute of every joint"


def test_no_name_hides_a_module() -> None:
    names = [
        each.name
        for each in pkgutil.walk_packages(segue.__path__, "segue.")
        if not each.name.endswith("__main__") and (HAS_TORCH or not each.name.startswith(WITH_TORCH))
    ]
    modules = {name: importlib.import_module(name) for name in names}
    for name, module in modules.items():
        package, _, last = name.rpartition(".")
        assert getattr(sys.modules[package], last) is module, f"{name} is hidden by a name of {package}"
