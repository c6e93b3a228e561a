import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type InlineConfig } from "tsdown";
import manifest from "../../package.json" with { type: "json" };
import { OLDEST_NODE } from "../../src/node-version.ts";
import { LIBRARY } from "./library-name.ts";

/**
 * Writes the kernel as a package of its own, without quantum code, into a folder, and packs it there. Usage:
 * `node tools/kernel-package/build.ts FOLDER`. Prints the tarball's path.
 */

const here = import.meta.dirname;
const root = join(here, "../..");
const [target = join(root, "dist-kernel")] = process.argv.slice(2);
const folder = join(target, LIBRARY);

/** Packages at run time. `zeromq` comes with the package, without what only its own build needs. */
const DEPENDENCIES = [
  "commander",
  "oxc-parser",
  "oxc-transform",
  "types-node",
  "typescript",
  "zeromq",
] as const;
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  zeromq: ["LICENSE.txt", "LICENSE_MPL-2.0.txt", "lib", "build"],
  "cmake-ts": ["README.md", "build/loader.js", "build/loader.mjs"],
};

const shared = {
  config: false,
  cwd: root,
  logLevel: "error",
  outDir: join(folder, "dist"),
  platform: "node",
  fixedExtension: false,
  hash: false,
  clean: false,
} as const satisfies InlineConfig;

/** Gives the package its own name. */
const ownName = {
  name: "own-name",
  resolveId: (id: string) => (id.endsWith("/library-name.ts") ? join(here, "library-name.ts") : undefined),
};

rmSync(folder, { recursive: true, force: true });
await build({
  ...shared,
  format: "esm",
  target: `node${OLDEST_NODE}`,
  entry: {
    index: join(here, "index.ts"),
    cli: join(here, "cli.ts"),
    kernel: "src/kernels/jupyter/main.ts",
    "kernel-cells": "src/kernels/jupyter/cells-main.ts",
    "kernel-relay": "src/kernels/jupyter/relay.ts",
  },
  plugins: [ownName],
  dts: false,
});
await build({
  ...shared,
  format: "cjs",
  target: "node14",
  entry: { "kernel-launcher": "src/kernels/launcher/main.ts" },
  outputOptions: { codeSplitting: false },
  plugins: [ownName],
  dts: false,
});
await build({
  ...shared,
  format: "esm",
  entry: { index: join(here, "index.ts") },
  dts: { emitDtsOnly: true, tsconfig: "tsconfig.kernel-types.json" },
});
writeManifest();
for (const [file, from] of [
  ["README.md", here],
  ["LICENSE", root],
] as const)
  cpSync(join(from, file), join(folder, file));
for (const [name, files] of Object.entries(BUNDLED)) bundle(name, files);
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], {
    cwd: folder,
    encoding: "utf8",
  }),
) as [{ filename: string }];
process.stdout.write(`${join(target, packed.filename)}\n`);

function writeManifest(): void {
  const { version, license, engines, dependencies } = manifest;
  write("package.json", {
    name: LIBRARY,
    version,
    description: "TypeScript and JavaScript notebooks for Jupyter, with type checks and a debugger.",
    keywords: ["jupyter", "kernel", "notebook", "typescript", "javascript"],
    license,
    type: "module",
    engines,
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./package.json": "./package.json",
    },
    types: "./dist/index.d.ts",
    bin: { [LIBRARY]: "./dist/cli.js" },
    files: ["dist"],
    dependencies: Object.fromEntries(DEPENDENCIES.map(name => [name, dependencies[name]])),
    bundleDependencies: ["zeromq"],
  });
}

/** Copies the files of an installed package that it needs when it runs, and its manifest without the rest. */
function bundle(name: string, files: readonly string[]): void {
  for (const file of files) {
    const to = join(folder, "node_modules", name, file);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, "node_modules", name, file), to, { recursive: true });
  }
  const path = join("node_modules", name, "package.json");
  const { version, license, author, main, exports } = JSON.parse(readFileSync(join(root, path), "utf8"));
  const licence = join(folder, "node_modules", name, "LICENSE");
  if (license === "MIT")
    writeFileSync(
      licence,
      readFileSync(join(root, "LICENSE"), "utf8").replace(/Copyright .*/, `Copyright (c) ${author}`),
    );
  const dependencies = name === "zeromq" ? { "cmake-ts": "*" } : undefined;
  write(path, { name, version, license, author, main, exports, dependencies });
}

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
}
