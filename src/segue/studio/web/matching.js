// Search as one types: which titles fit, best first, and which letters fitted.

/**
 * Return how well a query fits a title, and where its letters stand; null where it does not fit. All letters must occur
 * in order. Beginnings of words count most, then letters next to each other.
 *
 * @param {string} query
 * @param {string} title
 * @returns {{ score: number, at: number[] } | null}
 */
export function fits(query, title) {
  const wanted = query.toLowerCase().replace(/\s+/g, ""), low = title.toLowerCase();
  if (!wanted) return { score: 0, at: [] };
  /** @type {{ score: number, at: number[] } | null} */
  let best = null;
  // the first letter may stand at several places: each is tried, the others follow greedily, words' beginnings first
  for (let first = low.indexOf(wanted[0]); first >= 0; first = low.indexOf(wanted[0], first + 1)) {
    const at = [first];
    for (let k = 1; k < wanted.length; k++) {
      const from = at[k - 1] + 1, next = low.indexOf(wanted[k], from);
      if (next < 0) break;
      const begins = next === from ? next : beginning(low, wanted[k], from);
      // a letter further on must still leave room for the rest
      at.push(begins >= 0 && holds(low, wanted, k + 1, begins + 1) ? begins : next);
    }
    if (at.length < wanted.length) continue;
    const score = rate(low, at);
    if (!best || score > best.score) best = { score, at };
  }
  return best;
}

function holds(low, wanted, k, from) {
  for (let at = from; k < wanted.length; k++) {
    at = low.indexOf(wanted[k], at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function beginning(low, letter, from) {
  for (let k = low.indexOf(letter, from); k >= 0; k = low.indexOf(letter, k + 1)) if (begins(low, k)) return k;
  return -1;
}

function begins(low, k) {
  return k === 0 || !/[a-z0-9]/.test(low[k - 1]);
}

function rate(low, at) {
  const near = at.reduce((sum, k, n) => sum + (begins(low, k) ? 4 : 0) + (n && at[n - 1] === k - 1 ? 3 : 0), 0);
  return near - at[0] * 0.05 - low.length * 0.01;
}

/**
 * Return the items whose title fits a query, best first; all in their order for an empty query.
 *
 * @template T
 * @param {string} query
 * @param {T[]} items
 * @param {(item: T) => string} title
 * @returns {{ item: T, at: number[] }[]}
 */
export function search(query, items, title) {
  const found = items.map((item, order) => ({ item, order, fit: fits(query, title(item)) })).filter(({ fit }) => fit);
  found.sort((a, b) => b.fit.score - a.fit.score || a.order - b.order);
  return found.map(({ item, fit }) => ({ item, at: fit.at }));
}
