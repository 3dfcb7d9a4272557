// Build the extension into one file, with the licenses of everything that is in it.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const result = await build({
  absWorkingDir: here,
  entryPoints: ["extension.js"],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
  outfile: join("dist", "extension.js"),
  metafile: true,
});

const folders = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(input);
  if (found) folders.add(found[1]);
}
const licenses = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
  const file = readdirSync(join(here, folder)).find((each) => /^licen[sc]e/i.test(each));
  return `${name} ${version} (${license})\n\n${readFileSync(join(here, folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(here, "dist", "LICENSES.txt"), licenses.join(`\n${"-".repeat(72)}\n\n`));
copyFileSync(join(here, "..", "..", "LICENSE"), join(here, "LICENSE"));
