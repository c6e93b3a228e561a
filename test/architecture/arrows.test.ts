import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findCircles, findCycles, findForbidden } from "./arrows.ts";
import { readImports } from "./imports.ts";
import { readRooms } from "./rooms.ts";

const table = `
| room | what lives there | rooms | packages |
|---|---|---|---|
| \`index.ts\` | what is public | \`*\` | |
| \`client\` | calls | \`contract\` | \`node\`, \`undici\` |
| \`contract\` | schemas | | \`zod\` |
| \`service\` | the whole | \`service/jobs\` | |
| \`service/context.ts\` | what a rule is given | | |
| \`service/jobs\` | rules | \`service/context.ts\` | |
`;
const files = {
  "index.ts": 'export { get } from "./client/get.ts";',
  "client/get.ts":
    'import { fetch } from "undici";\nimport { url } from "../contract/url.ts";\nexport const get = [fetch, url];',
  "contract/url.ts": 'import { z } from "zod";\nexport const url = z;',
  "service/service.ts": 'export { run } from "./jobs/run.ts";',
  "service/context.ts": "export type Context = object;",
  "service/jobs/run.ts":
    'import type { Context } from "../context.ts";\nexport const run = (c: Context) => c;',
};
let folder = "";

function importsIn(more: Record<string, string>) {
  folder = mkdtempSync(join(tmpdir(), "arrows-"));
  for (const [file, source] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  return readImports(folder);
}

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const forbidden = (more: Record<string, string>) => findForbidden(importsIn(more), readRooms(table));

describe("the lint of arrows", () => {
  test("is content with imports that the table allows", () => {
    expect(forbidden({})).toEqual([]);
  });

  test.each([
    ["a static import", 'import "../client/get.ts";'],
    ["a type", 'import type { get } from "../client/get.ts";'],
    ["a dynamic import", 'export const late = () => import("../client/get.ts");'],
    ["an export from elsewhere", 'export * from "../client/get.ts";'],
  ])("refuses %s against the arrows", (_kind, source) => {
    expect(forbidden({ "contract/up.ts": source })).toEqual([
      "contract/up.ts imports client/get.ts: contract has no arrow to client.",
    ]);
  });

  test("refuses a package, and a module of Node, that the room's row does not name", () => {
    expect(forbidden({ "contract/file.ts": 'import "node:fs";\nimport "undici/types";' })).toEqual([
      "contract/file.ts imports node: contract has no arrow to node.",
      "contract/file.ts imports undici: contract has no arrow to undici.",
    ]);
  });

  test("forbids a new room everything until it has a row", () => {
    expect(forbidden({ "charts/bar.ts": 'import "../contract/url.ts";' })).toEqual([
      "charts is in no row of the table of rooms, and may import nothing until it is.",
      "charts/bar.ts imports contract/url.ts: charts has no arrow to contract.",
    ]);
  });

  test("does not lend a new folder the arrows of the room around it", () => {
    expect(forbidden({ "service/http/app.ts": 'import "../jobs/run.ts";' })).toEqual([
      "service/http is in no row of the table of rooms, and may import nothing until it is.",
      "service/http/app.ts imports service/jobs/run.ts: service/http has no arrow to service/jobs.",
    ]);
  });

  test("finds a row whose room is gone", () => {
    const rooms = readRooms(`${table}| \`attic\` | dust | | |\n`);
    expect(findForbidden(importsIn({}), rooms)).toEqual(["attic has a row and no files."]);
  });

  test("finds files that import each other's values, and lets types go both ways", () => {
    const pair = { "client/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;' };
    const values = { ...pair, "client/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;' };
    const types = {
      ...pair,
      "client/b.ts": 'import type { a } from "./a.ts";\nexport const b = 1 as typeof a;',
    };
    expect(findCycles(importsIn(values))).toEqual([["client/a.ts", "client/b.ts"]]);
    rmSync(folder, { recursive: true });
    expect(findCycles(importsIn(types))).toEqual([]);
  });

  test("finds rows that lead back to where they began", () => {
    expect(findCircles(readRooms(table))).toEqual([]);
    expect(
      findCircles(
        readRooms(
          table
            .replace("| schemas | |", "| schemas | `service` |")
            .replace("what a rule is given | |", "what a rule is given | `contract` |"),
        ),
      ),
    ).toEqual([["contract", "service", "service/context.ts", "service/jobs"]]);
  });
});

describe("docs/architecture.md", () => {
  const document = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");

  test("has a row for every room of the house, with arrows that go one way", () => {
    const rooms = readRooms(document);
    expect(findForbidden(readImports(new URL("../../src", import.meta.url).pathname), rooms)).toEqual([]);
    expect(findCircles(rooms)).toEqual([]);
  });
});
