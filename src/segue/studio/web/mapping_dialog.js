// Which joint of a clip's skeleton plays which role: shown, and corrected where recognition is unsure.

/** @import { SkeletonShape } from "./messages.js" */
/** @import { Store } from "./store.js" */

import { mapped } from "./clips.js";
import { choose } from "./dialogs.js";
import { make } from "./elements.js";

const LISTS = ["spine", "neck"];

/**
 * Return the joints of each role.
 *
 * @param {SkeletonShape} skeleton
 * @returns {Map<string, string[]>}
 */
export function jointsByRole({ joints, roles }) {
  return new Map(roles.map((role) => [role, joints.filter((each) => each.role === role).map(({ joint }) => joint)]));
}

/**
 * Show the roles of a clip's joints and write those that were changed.
 *
 * @param {Store} store
 * @param {string} path
 */
export async function openMapping(store, path) {
  try {
    const skeleton = await store.ask({ kind: "mapping", path });
    const roles = await edited(skeleton);
    if (!roles) return;
    const answer = await store.ask({ kind: "map_joints", path, roles });
    const changes = mapped(store.doc.text, store.doc.tree, path, answer.map);
    if (changes.length) await store.edit(changes);
    store.notify(`The roles of ${path} are in ${answer.map}.`);
  } catch (error) {
    store.notify(error.message, "error");
  }
}

/** @param {SkeletonShape} skeleton */
async function edited(skeleton) {
  const now = jointsByRole(skeleton), unsure = new Set(skeleton.joints.filter(({ sure }) => !sure)
    .map(({ joint }) => joint));
  const changed = new Map();
  const rows = [...now].map(([role, joints]) => {
    const many = LISTS.includes(role), needed = skeleton.needed.includes(role);
    const select = make("select", { "aria-label": role.replaceAll("_", " "), multiple: many, size: many ? 4 : null },
      ...(many ? [] : [make("option", { value: "" }, needed ? "choose a joint" : "no joint")]),
      ...skeleton.joints.map(({ joint }) => make("option", { value: joint, selected: joints.includes(joint) }, joint)));
    select.addEventListener("change", () => changed.set(role, [...select.selectedOptions].map(({ value }) => value)
      .filter(Boolean)));
    const doubt = needed && !joints.length ? "missing" : joints.some((joint) => unsure.has(joint)) ? "unsure" : "";
    return make("tr", { class: doubt }, make("th", { scope: "row" }, role.replaceAll("_", " ")),
      make("td", {}, select), make("td", {}, doubt));
  });
  const about = skeleton.problem || (skeleton.family ? `Recognised: ${skeleton.family}.` : "");
  const chosen = await choose(`Joints of ${skeleton.path}`, [make("p", {}, about),
    make("div", { class: "mapping", tabindex: 0, role: "region", "aria-label": "Roles" },
      make("table", {}, ...rows))], [["write", "Write the map file"]]);
  if (chosen !== "write") return null;
  // a map that names every known role does not depend on recognition any more
  const all = new Map([...now, ...changed]);
  return [...all].filter(([role, joints]) => joints.length || changed.has(role))
    .map(([role, joints]) => ({ role, joints }));
}
