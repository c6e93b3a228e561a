import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  areNoLarger,
  compareCircles,
  findCircles,
  findForbidden,
  findLargeCircles,
  findModuleCircles,
} from "./check.ts";
import { readFaces, readImports } from "./imports.ts";
import { readModules } from "./modules.ts";

const table = `
| module | content | modules | packages | Node |
|---|---|---|---|---|
| \`.\` | what is public | \`*\` | | |
| \`client\` | calls | \`contract\` | \`undici\` | \`node\` |
| \`contract\` | schemas | | \`zod\` | |
| \`service\` | the rules | \`contract\`, \`host\` | | |
| \`service/node\` | the same in a process | \`service\` | | yes |
| \`host\` | files | | | \`node.ts\` |
`;
const files = {
  "index.ts": 'export { get } from "./client/get.ts";',
  "client/get.ts":
    'import { fetch } from "undici";\nimport { url } from "../contract/url.ts";\nexport const get = [fetch, url];',
  "client/node/proxy.ts": 'import "node:net";',
  "contract/url.ts": 'import { z } from "zod";\nexport const url = z;',
  "service/README.md": "# Service",
  "service/index.ts": 'export { run } from "./jobs/run.ts";',
  "service/jobs/run.ts":
    'import "#host";\nimport type { url } from "../../contract/url.ts";\nexport const run = (u: typeof url) => u;',
  "service/node/start.ts": 'import "node:http";\nimport { run } from "../index.ts";\nrun;',
  "host/node.ts": 'import "node:fs";',
};
let folder = "";

function write(more: Record<string, string> = {}) {
  folder = mkdtempSync(join(tmpdir(), "modules-"));
  for (const [file, source] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  return folder;
}

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const importsIn = (more: Record<string, string>) => readImports(write(more));
const forbidden = (more: Record<string, string>, document = table) =>
  findForbidden(importsIn(more), readModules(document), readFaces(folder));

describe("the lint of dependencies", () => {
  test("is content with imports that the table allows", () => {
    expect(forbidden({})).toEqual([]);
  });

  test.each([
    ["a static import", 'import "../client/get.ts";'],
    ["a type", 'import type { get } from "../client/get.ts";'],
    ["a dynamic import", 'export const late = () => import("../client/get.ts");'],
    ["an export from elsewhere", 'export * from "../client/get.ts";'],
  ])("refuses %s that the table does not allow", (_kind, source) => {
    expect(forbidden({ "contract/up.ts": source })).toEqual([
      "contract/up.ts imports client/get.ts: contract may not import client.",
    ]);
  });

  test("refuses a package, and a module of Node, that the module's row does not name", () => {
    expect(forbidden({ "contract/file.ts": 'import "node:fs";\nimport "undici/types";' })).toEqual([
      "contract/file.ts imports Node's modules, which contract may not.",
      "contract/file.ts imports undici, which contract may not.",
    ]);
  });

  test("lends Node to the folder that the row names, and to no other file of the module", () => {
    expect(forbidden({ "client/files.ts": 'import "node:fs";' })).toEqual([
      "client/files.ts imports Node's modules, which client may not.",
    ]);
  });

  test("forbids a new module everything until it has a row", () => {
    expect(forbidden({ "charts/bar.ts": 'import "../contract/url.ts";' })).toEqual([
      "charts is in no row of the table of modules, and may import nothing until it is.",
      "charts/bar.ts imports contract/url.ts: charts may not import contract.",
    ]);
  });

  test("refuses an import that goes past a module's face, also from a module inside it", () => {
    const past = 'import { run } from "../jobs/run.ts";\nrun;';
    expect(forbidden({ "service/node/past.ts": past })).toEqual([
      "service/node/past.ts imports service/jobs/run.ts: other modules import service/index.ts alone.",
    ]);
  });

  test("finds a row without files, and permissions that nothing uses", () => {
    const row = "| `attic` | dust | `client` | `zod` | yes |\n";
    const unused = table.replace("`undici` | `node`", "`undici`, `zod` | `node`, `files.ts`");
    expect(forbidden({}, unused + row)).toEqual([
      "client does not use its permission of zod.",
      "client does not use its permission of Node (files.ts).",
      "attic has a row and no files.",
      "attic does not use its permission of client.",
      "attic does not use its permission of zod.",
      "attic does not use its permission of Node (yes).",
    ]);
  });

  test("finds more than three files that import each other, by types too", () => {
    const circle = (names: string) =>
      Object.fromEntries(
        Array.from(names, (name, at) => [
          `client/${name}.ts`,
          `import type {} from "./${names[(at + 1) % names.length]}.ts";`,
        ]),
      );
    expect(findLargeCircles(importsIn(circle("abc")))).toEqual([]);
    expect(findCircles(importsIn(circle("abc")))).toEqual([["client/a.ts", "client/b.ts", "client/c.ts"]]);
    rmSync(folder, { recursive: true });
    expect(findLargeCircles(importsIn(circle("abcd")))).toEqual([
      ["client/a.ts", "client/b.ts", "client/c.ts", "client/d.ts"],
    ]);
  });

  test("refuses circles that are not listed as they are, and those that are listed and gone", () => {
    const [old, grown] = [
      ["a", "b", "c", "d"],
      ["a", "b", "c", "d", "e"],
    ];
    expect(compareCircles([old], [old])).toEqual([]);
    expect(compareCircles([grown], [old])).toEqual([
      "These files import each other: a, b, c, d, e.",
      "circles.json lists what is no circle of more than 3 files: a, b, c, d.",
    ]);
    expect(areNoLarger([grown], [old])).toBe(false);
    expect(areNoLarger([old], [grown])).toBe(true);
    expect(
      areNoLarger(
        [
          ["a", "b"],
          ["c", "d"],
        ],
        [grown],
      ),
    ).toBe(false);
  });

  test("finds rows that lead back to where they began", () => {
    expect(findModuleCircles(readModules(table))).toEqual([]);
    const back = table.replace("| schemas | |", "| schemas | `service` |");
    expect(findModuleCircles(readModules(back))).toEqual([["contract", "service"]]);
  });
});

describe("docs/architecture.md", () => {
  const document = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");

  test("has a row for every module, with dependencies that go one way", () => {
    const modules = readModules(document);
    const src = new URL("../../src", import.meta.url).pathname;
    expect(findForbidden(readImports(src), modules, readFaces(src))).toEqual([]);
    expect(findModuleCircles(modules)).toEqual([]);
  });
});
