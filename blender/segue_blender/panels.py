"""The "Segue" tab of the 3D view, the dope sheet and the NLA editor, and the data that its lists show."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from . import mapping
from .base import armature_of
from .other_operators import save_map

POINTS = [
    ("left_ankle", "Left Heel", ""),
    ("left_toe_joint", "Left Toes", ""),
    ("right_ankle", "Right Heel", ""),
    ("right_toe_joint", "Right Toes", ""),
]


class SegueContact(bpy.types.PropertyGroup):
    """A contact of a foot that is held."""

    use: BoolProperty(name="Hold", default=True)
    point: EnumProperty(name="Point", items=POINTS)
    start: IntProperty(name="From")
    stop: IntProperty(name="To")


class SegueFinding(bpy.types.PropertyGroup):
    """A finding of the last check."""

    sentence: StringProperty()
    severity: StringProperty()
    frame: IntProperty()
    placed: BoolProperty()


class SegueScene(bpy.types.PropertyGroup):
    """What the tab shows of a scene."""

    second: StringProperty(name="Into")
    contacts: CollectionProperty(type=SegueContact)
    contact: IntProperty()
    findings: CollectionProperty(type=SegueFinding)
    finding: IntProperty()


def _edited(self, context):
    owner = self.id_data
    rows = {row.name: row.bones for row in owner.segue_roles}
    save_map(owner, mapping.text_of(mapping.parsed(rows)))


class SegueRole(bpy.types.PropertyGroup):
    """A role, whose name is `name`, and its bones, separated by commas."""

    bones: StringProperty(name="Bones", update=_edited)


class SEGUE_UL_roles(bpy.types.UIList):
    """Roles and their bones."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        """Draw a row."""
        row = layout.split(factor=0.4)
        row.label(text=item.name.replace("_", " "))
        row.prop(item, "bones", text="", emboss=False)


class SEGUE_UL_contacts(bpy.types.UIList):
    """Contacts of the feet."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        """Draw a row."""
        row = layout.row(align=True)
        row.prop(item, "use", text="")
        row.prop(item, "point", text="")
        row.prop(item, "start", text="")
        row.prop(item, "stop", text="")


class SEGUE_UL_findings(bpy.types.UIList):
    """Findings of the last check."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0):
        """Draw a row."""
        symbol = "ERROR" if item.severity == "fault" else "QUESTION"
        row = layout.row(align=True)
        row.operator("segue.jump", text=f"{item.frame}" if item.placed else "-", icon=symbol).index = index
        row.label(text=item.sentence)


def draw_main(layout, context):
    """Draw the operators."""
    scene = context.scene
    if armature_of(context) is None:
        layout.label(text="Select an armature")
        return
    column = layout.column(align=True)
    column.prop_search(scene.segue, "second", bpy.data, "actions")
    column.operator("segue.transition")
    column = layout.column(align=True)
    column.operator("segue.fill")
    column.operator("segue.loop")
    column.operator("segue.improve_keyframes")
    layout.operator("segue.dance")
    row = layout.row(align=True)
    row.operator("segue.send_to_studio")
    row.operator("segue.take_from_studio")


def draw_check(layout, context):
    """Draw the check."""
    layout.operator("segue.check")
    state = context.scene.segue
    if len(state.findings):
        layout.template_list("SEGUE_UL_findings", "", state, "findings", state, "finding", rows=4)


def draw_feet(layout, context):
    """Draw the contacts."""
    layout.operator("segue.plant_feet")
    state = context.scene.segue
    layout.template_list("SEGUE_UL_contacts", "", state, "contacts", state, "contact", rows=4)
    row = layout.row(align=True)
    row.operator("segue.find_contacts", text="Find")
    row.operator("segue.add_contact", text="Add")
    row.operator("segue.clear_contacts", text="Clear")


def draw_bones(layout, context):
    """Draw the map of bones."""
    owner = armature_of(context)
    layout.operator("segue.recognise")
    if owner is not None and len(owner.segue_roles):
        layout.template_list("SEGUE_UL_roles", "", owner, "segue_roles", owner, "segue_role", rows=8)
    layout.operator("segue.restart")


PARTS = (("main", "Motion", draw_main), ("check", "Check", draw_check), ("feet", "Feet", draw_feet))
SPACES = (("VIEW_3D", "view"), ("DOPESHEET_EDITOR", "dope"), ("NLA_EDITOR", "nla"))


def _panel(space, short, name, label, draw):
    return type(
        f"SEGUE_PT_{short}_{name}",
        (bpy.types.Panel,),
        {
            "bl_idname": f"SEGUE_PT_{short}_{name}",
            "bl_label": label,
            "bl_space_type": space,
            "bl_region_type": "UI",
            "bl_category": "Segue",
            "bl_options": set() if name == "main" else {"DEFAULT_CLOSED"},
            "draw": lambda self, context: draw(self.layout, context),
            "__doc__": f"The part {label} of the tab.",
        },
    )


PANELS = tuple(
    _panel(space, short, name, label, draw)
    for space, short in SPACES
    for name, label, draw in (*PARTS, *([("bones", "Bones", draw_bones)] if short == "view" else []))
)
CLASSES = (
    SegueContact,
    SegueFinding,
    SegueScene,
    SegueRole,
    SEGUE_UL_roles,
    SEGUE_UL_contacts,
    SEGUE_UL_findings,
    *PANELS,
)


def add_properties():
    """Add the tab's data to scenes and objects."""
    bpy.types.Scene.segue = PointerProperty(type=SegueScene)
    bpy.types.Object.segue_roles = CollectionProperty(type=SegueRole)
    bpy.types.Object.segue_role = IntProperty()


def remove_properties():
    """Remove the tab's data."""
    del bpy.types.Scene.segue, bpy.types.Object.segue_roles, bpy.types.Object.segue_role
