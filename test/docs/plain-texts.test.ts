import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainTexts } from "../../tools/docs/plain-texts.ts";

const root = join(import.meta.dirname, "../..");
const sources = [
  ...readdirSync(join(root, "docs/guide")).map(name => `docs/guide/${name}`),
  ...readdirSync(join(root, "notebooks/course"))
    .filter(name => name.endsWith(".ipynb"))
    .map(name => `notebooks/course/${name}`),
];

test("llms.txt names every page, and llms-full.txt has the text of all, without solutions", () => {
  const { "llms.txt": list = "", "llms-full.txt": full = "" } = plainTexts(root, sources);
  expect(list.match(/^- \[.+\]\(.+\.html\)/gm)).toHaveLength(sources.length);
  for (const name of readdirSync(join(root, "docs/guide")))
    expect(full).toContain(readFileSync(join(root, "docs/guide", name), "utf8").trim());
  const lessons = full.split("<!-- course/").slice(1);
  expect(lessons.length).toBeGreaterThan(10);
  for (const lesson of lessons) expect(lesson).not.toContain("### BEGIN");
  expect(list).toContain("[Assistants](guide/assistants.html): `ketbook mcp` gives assistants tools");
});
