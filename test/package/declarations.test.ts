import { join } from "node:path";
import { expect, test } from "vitest";
import { findGaps } from "./declarations.ts";

const files = ["index", "client", "course"].map(name => join(import.meta.dirname, `../../dist/${name}.d.ts`));
const { hidden, twice, undocumented } = findGaps(files);

test("every type that a public signature names can be imported", () => {
  expect(hidden).toEqual([]);
});

test("every public name is imported from one place", () => {
  expect(twice).toEqual([]);
});

test("every public name and member has a sentence", () => {
  expect(undocumented).toEqual([]);
});
