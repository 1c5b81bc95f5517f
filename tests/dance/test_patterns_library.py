"""The dance library: found by names, shadowed, copied and deleted, with the shipped dances left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from segue.dance.notation import NotationError, Part, Row, check, parse, partner_of, write
from segue.dance.patterns import (
    FOLDER_VARIABLE,
    DanceLibrary,
    examine,
    examine_file,
    template,
    template_text,
    user_folder,
)
from segue.errors import ArgumentError, FileFormatError, SegueWarning

STEPS = "Foot Position | LF FWD | RF 1ST |\nBeats | 2 | 2 |\n"


def text(dance: str = "polka", name: str = "hop", more: str = "", steps: str = STEPS) -> str:
    return f"# mine\ndance: {dance}\npattern: {name}\n{more}time: 4/4\ntempo: 30\n{steps}"


@pytest.fixture
def library(tmp_path: Path) -> DanceLibrary:
    return DanceLibrary(tmp_path / "dances")


def put(library: DanceLibrary, path: str, content: str) -> Path:
    target = library.folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(content, encoding="utf-8")
    return target


@pytest.mark.parametrize(
    "title", ["foxtrot/forward basic", "Fox-Trot / Forward  Basic", "FOXTROT/forward_basic", "forward-and-back basic"]
)
def test_names_are_forgiving(library: DanceLibrary, title: str) -> None:
    assert library.find(title).title.startswith("foxtrot/forward")


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("foxtort/forward basic", "no dance 'foxtort', did you mean foxtrot?"),
        ("foxtrot/forwrad basic", "the dance foxtrot has no pattern 'forwrad basic', did you mean forward basic"),
        ("hesitate", "did you mean hesitation"),
        ("forward basic", "foxtrot/forward basic and tango/forward basic, so name the dance too"),
        ("corner turn", "more than one pattern is named 'corner turn'"),
        ("lambada/x", "there are cha cha, foxtrot, rumba, swing, tango, waltz"),
        ("/", "dance/pattern is needed"),
        ("a/b/c", "dance/pattern is needed"),
        ("", "there is no pattern ''"),
        ("waltz/", "dance/pattern is needed"),
    ],
)
def test_unknown_names_suggest_the_nearest(library: DanceLibrary, title: str, says: str) -> None:
    with pytest.raises(ArgumentError, match=r"^[^\n]*$") as caught:
        library.find(title)
    assert says in str(caught.value)


def test_a_dance_of_ones_own(library: DanceLibrary) -> None:
    path = library.add(text("Slow Polka", "Big Hop"))
    assert path == library.folder / "slow_polka" / "big_hop.dance"
    assert "slow polka" in library.dances()
    assert [entry.title for entry in library.entries("SLOW-POLKA")] == ["slow polka/big hop"]
    pattern = library.pattern("slow polka/big hop")
    assert pattern.name == "Big Hop"
    assert library.pattern(path) == pattern
    with pytest.raises(ArgumentError, match="exists: choose another name"):
        library.create(pattern)


def test_ones_own_pattern_comes_before_the_shipped_one(library: DanceLibrary) -> None:
    shipped = library.find("foxtrot/promenade")
    assert shipped.shipped
    assert shipped.follower is not None
    library.add(text("foxtrot", "promenade"))
    own = library.find("foxtrot/promenade")
    assert not own.shipped
    assert own.follower is None, "the shipped follower's steps do not fit a leader's of one's own"
    leader = library.pattern("foxtrot/promenade")
    assert len(leader.steps) == 2
    assert library.pattern("foxtrot/promenade", Part.FOLLOWER) == partner_of(leader)
    assert len([entry for entry in library.entries("foxtrot") if entry.name == "promenade"]) == 1
    library.delete("foxtrot/promenade")
    assert library.find("foxtrot/promenade") == shipped


def test_a_follower_of_ones_own_goes_with_the_shipped_leader(library: DanceLibrary) -> None:
    leader = library.pattern("waltz/box step")
    library.create(partner_of(leader))
    entry = library.find("waltz/box step")
    assert (entry.leader or Path()).is_relative_to(library.shipped)
    assert (entry.follower or Path()).is_relative_to(library.folder)
    assert not examine(entry)
    assert library.delete("waltz/box step") == [entry.follower]


def test_a_leader_is_derived_where_only_the_follower_is_written(library: DanceLibrary) -> None:
    follower = partner_of(parse(text()))
    library.create(follower)
    assert library.pattern("polka/hop", Part.FOLLOWER) == follower
    assert library.pattern("polka/hop").part is Part.LEADER
    assert library.pattern("polka/hop").steps[0].foot == "LF"


def test_copies_keep_comments_and_both_parts(library: DanceLibrary) -> None:
    made = library.copy("foxtrot/promenade", "ours/way")
    assert [path.name for path in made] == ["way.dance", "way.follower.dance"]
    for part in Part:
        copied, original = library.pattern("ours/way", part), library.pattern("foxtrot/promenade", part)
        assert copied.title == "ours/way"
        assert copied.steps == original.steps
    (again,) = library.copy("foxtrot/forward basic", "foxtrot/mine")
    assert again.read_text(encoding="utf-8").startswith("# figure 5.2")
    assert library.dances()[2] == "ours"


def test_a_copy_is_made_wholly_or_not_at_all(library: DanceLibrary) -> None:
    in_the_way = put(library, "ours/way.follower.dance", "hello")
    with pytest.raises(ArgumentError, match=r"way\.follower\.dance exists"):
        library.copy("foxtrot/promenade", "ours/way")
    assert list(in_the_way.parent.iterdir()) == [in_the_way]


def test_a_file_can_be_copied(library: DanceLibrary, tmp_path: Path) -> None:
    path = tmp_path / "found.dance"
    path.write_text(text("x", "y", more="part: follower\n"), encoding="utf-8")
    assert library.copy(path, "polka/found") == [library.folder / "polka" / "found.follower.dance"]


@pytest.mark.parametrize("target", ["x", "polka/../../up", "polka/a:b", "polka/" + "x" * 100, "po|ka/x"])
def test_names_that_are_no_names_write_nothing(library: DanceLibrary, target: str) -> None:
    with pytest.raises((ArgumentError, NotationError), match=r"^[^\n]*$"):
        library.copy("tango/corte", target)
    assert not library.folder.exists()


def test_only_ones_own_can_be_deleted(library: DanceLibrary) -> None:
    with pytest.raises(ArgumentError, match="comes with Segue and stays"):
        library.delete("tango/corte")
    with pytest.raises(ArgumentError, match="what comes with Segue stays"):
        library.delete_dance("tango")
    with pytest.raises(ArgumentError, match="no dance 'tangle', did you mean tango"):
        library.delete_dance("tangle")
    library.copy("tango/corte", "tango/dip")
    library.copy("tango/corte", "tango/deep dip")
    assert library.delete("tango/dip")
    kept = put(library, "tango/letter.txt", "dear")
    assert library.delete_dance("Tango") == [library.folder / "tango" / "deep_dip.dance"]
    assert kept.exists(), "only patterns are deleted"
    assert library.find("tango/corte").shipped


def test_a_header_of_another_name_is_told(library: DanceLibrary) -> None:
    put(library, "polka/jump.dance", text(name="hop"))
    with pytest.warns(SegueWarning, match=r"header has polka/hop, but by its file it is polka/jump"):
        assert library.pattern("polka/jump").title == "polka/jump"
    (remark,) = examine(library.find("polka/jump"))
    assert not remark.is_error
    assert "which holds" in remark.finding.message


def test_a_part_in_the_wrong_file_is_told(library: DanceLibrary) -> None:
    put(library, "polka/hop.dance", text(more="part: follower\n"))
    with pytest.raises(NotationError, match="its part is follower, but by its name it is the leader's"):
        library.pattern("polka/hop")


def test_what_cannot_be_danced_is_told_with_its_place(library: DanceLibrary) -> None:
    path = put(library, "polka/hop.dance", text(steps=STEPS.replace("RF 1ST", "LF 1ST")))
    with pytest.raises(NotationError, match="step 2, Foot Position: LF bears the weight") as caught:
        library.pattern("polka/hop")
    assert (caught.value.path, caught.value.line, caught.value.column) == (path, 6, 26)
    with pytest.raises(NotationError, match="LF bears the weight"):
        library.pattern(path)
    remarks = examine_file(path)
    assert [(each.finding.step, each.finding.row, each.is_error) for each in remarks] == [
        (2, Row.FOOT, True),
        (2, Row.FOOT, False),
    ]
    assert remarks[0].where == f"{path}:6:26"


def test_parts_that_do_not_fit_are_found(library: DanceLibrary) -> None:
    library.add(text())
    library.add(text(more="part: follower\ncommence: B LOD\n"))
    wrong = [(each.finding.step, each.finding.row) for each in examine(library.find("polka/hop")) if each.is_error]
    assert wrong == [(1, Row.FOOT), (2, Row.FOOT)]


def test_unreadable_files(library: DanceLibrary, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such file"):
        library.pattern(tmp_path / "none.dance")
    binary = tmp_path / "binary.dance"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="ballroom notation in UTF-8 is needed"):
        library.pattern(binary)
    with pytest.raises(FileFormatError, match="a folder of dances is needed"):
        DanceLibrary(binary)
    (remark,) = examine_file(put(library, "polka/hop.dance", text(steps="Beats | 1")))
    assert remark.is_error
    assert remark.finding.message.startswith("the row is missing")


def test_strange_files_are_no_patterns(library: DanceLibrary) -> None:
    put(library, "polka/readme.txt", "hello")
    put(library, "polka/_.dance", "hello")
    put(library, "loose.dance", "hello")
    assert library.entries("polka") == []


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_DATA_HOME", "data/segue/dances"),
        ("win32", "APPDATA", "data/segue/dances"),
        ("linux", FOLDER_VARIABLE, "data"),
    ],
)
def test_where_dances_of_ones_own_are_kept(
    platform: str, variable: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (FOLDER_VARIABLE, "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert user_folder().parts[-2:] == ("segue", "dances")
    monkeypatch.setenv(variable, "data")
    assert user_folder() == Path(expected)


@pytest.mark.parametrize("dance", ["foxtrot", "waltz", "cha cha", None])
def test_templates_can_be_danced(library: DanceLibrary, dance: str | None) -> None:
    like = None if dance is None else library.read(library.entries(dance)[0])
    made = template(dance or "polka", "new", like)
    assert not check(made)
    assert parse(template_text(made)) == made
    assert write(made) in template_text(made)


@pytest.mark.parametrize("title", ["waltz/a.b", "waltz/a\nb", "waltz/y\\z", "waltz/" + "q" * 400, "wal|tz/a"])
def test_names_that_no_header_takes_are_refused_before_anything_is_written(title: str, tmp_path: Path) -> None:
    library = DanceLibrary(tmp_path)
    with pytest.raises(ArgumentError, match="cannot be the name of a pattern: a name has letters") as complaint:
        library.copy("waltz/box step", title)
    assert "\n" not in str(complaint.value)
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_like_none_is_told_what_a_name_is() -> None:
    with pytest.raises(ArgumentError, match="there is no pattern 'qqq': dance/pattern is needed, such as"):
        DanceLibrary().pattern("qqq")
