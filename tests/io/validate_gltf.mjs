// Prints the report of the Khronos glTF validator for one file as JSON: node validate_gltf.mjs FILE
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const { validateBytes } = createRequire(import.meta.url)("gltf-validator");
const bytes = await readFile(process.argv[2]);
const report = await validateBytes(new Uint8Array(bytes), { maxIssues: 0, writeTimestamp: false });
console.log(JSON.stringify(report));
