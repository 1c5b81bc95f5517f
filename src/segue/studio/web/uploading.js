// Files dropped into the studio: sent to the engine in parts.

/** @import { Store } from "./store.js" */

const PART = 384 * 1024; // bytes, below the engine's limit

/** Return bytes in base64, in pieces that `fromCharCode` takes. */
export function base64(bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
}

/**
 * Send a file to a folder of the workspace; return the name that it got.
 *
 * @param {Store} store
 * @param {File} file
 * @param {string} folder
 * @param {(share: number) => void} [progress]
 */
export async function upload(store, file, folder = "", progress = () => {}) {
  const path = folder ? `${folder}/${file.name}` : file.name;
  let name = path;
  for (let offset = 0; offset < Math.max(file.size, 1); offset += PART) {
    const bytes = new Uint8Array(await file.slice(offset, offset + PART).arrayBuffer());
    const answer = await store.ask({ kind: "upload", path, size: file.size, offset, data: base64(bytes) });
    name = answer.path;
    progress(answer.received / answer.size);
  }
  return name;
}
