"""Which bone plays which part: a list of roles, saved in the armature as JSON."""

from __future__ import annotations

import json

SIDE_ROLES = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
ROLES = (
    "pelvis",
    "spine",
    "neck",
    "head",
    *(f"{side}_{role}" for side in ("left", "right") for role in SIDE_ROLES),
)
"""Roles in the order of the list; spine and neck may have several bones, separated by commas."""

KEY = "segue_map"
"""The custom property of the armature that holds the map."""


def pairs_of(text, bones):
    """Return pairs of role and bone of a saved map, without bones that the armature no longer has."""
    try:
        table = json.loads(text) if text else {}
    except ValueError:
        return []
    if not isinstance(table, dict):
        return []
    pairs = []
    for role in ROLES:
        listed = table.get(role, [])
        pairs += [[role, bone] for bone in listed if isinstance(bone, str) and bone in bones]
    return pairs


def text_of(roles):
    """Return a map of roles to lists of bones as JSON."""
    return json.dumps({role: list(roles[role]) for role in ROLES if roles.get(role)}, separators=(",", ":"))


def listed(text):
    """Return role -> bones as one text, for the list that users edit."""
    try:
        table = json.loads(text) if text else {}
    except ValueError:
        table = {}
    return {role: ", ".join(table.get(role, [])) for role in ROLES}


def parsed(rows):
    """Return role -> bones of the rows of the list."""
    return {
        role: [name.strip() for name in text.split(",") if name.strip()] for role, text in rows.items() if text.strip()
    }
