import { join } from "node:path";
import { expect, test } from "vitest";
import { findGaps } from "./declarations.ts";

const { hidden, undocumented } = findGaps(join(import.meta.dirname, "../../dist/index.d.ts"));

test("every type that a public signature names can be imported", () => {
  expect(hidden).toEqual([]);
});

test("every public name and member has a sentence", () => {
  expect(undocumented).toEqual([]);
});
