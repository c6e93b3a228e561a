import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  forgetNotebook,
  keepNotebook,
  keptNotebook,
  keptNotebooks,
  newKey,
} from "../../../src/browser/page/kept-notebooks.ts";
import { newCell, newNotebook } from "../../../src/browser/page/notebook.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";

/** A browser's storage, which has room for so many characters. */
function storage(room: number): object {
  const kept: Record<string, string> = {};
  const method = (value: unknown) => ({ value });
  return Object.defineProperties(kept, {
    getItem: method((key: string) => kept[key] ?? null),
    removeItem: method((key: string) => Reflect.deleteProperty(kept, key)),
    setItem: method((key: string, value: string) => {
      const others = Object.entries(kept).filter(([other]) => other !== key);
      if (others.flat().join("").length + value.length > room) throw new Error("QuotaExceededError");
      kept[key] = value;
    }),
  });
}

const notebook = (title: string, output = ""): Notebook =>
  newNotebook([
    newCell("markdown", `# ${title}`),
    {
      ...newCell("code", "1"),
      outputs: output ? [{ output_type: "stream", name: "stdout", text: output }] : [],
    } as never,
  ]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("localStorage", storage(4000));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const keep = (kept: Notebook, key = newKey()) => {
  vi.setSystemTime(Date.now() + 1000);
  return [keepNotebook(key, kept), key] as const;
};
const titles = () => keptNotebooks().map(({ title }) => title);

test("notebooks are kept apart, and listed with the newest first", () => {
  const [, first] = keep(notebook("First", "out"));
  keep(notebook("Second"));
  expect(titles()).toEqual(["Second", "First"]);
  expect(keptNotebook(first)).toMatchObject({ cells: [{}, { source: "1", outputs: [{ text: "out" }] }] });
  keep(notebook("First again"), first);
  expect(titles()).toEqual(["First again", "Second"]);
  forgetNotebook(first);
  expect(titles()).toEqual(["Second"]);
  expect(keptNotebook(first)).toBeUndefined();
});

test("a full browser drops the outputs of older notebooks, and at last those of the one that is kept, but no source", () => {
  const [, old] = keep(notebook("Old", "o".repeat(2000)));
  expect(keep(notebook("New", "n".repeat(2000)))[0]).toBe("all");
  expect(keptNotebook(old)).toMatchObject({ cells: [{ source: "# Old" }, { source: "1", outputs: [] }] });
  const [kept, key] = keep(notebook("Large", "l".repeat(5000)));
  expect(kept).toBe("sources");
  expect(keptNotebook(key)).toMatchObject({ cells: [{ source: "# Large" }, { outputs: [] }] });
  expect(titles()).toEqual(["Large", "New", "Old"]);
});

test("the oldest of a hundred notebooks makes room for another", () => {
  vi.stubGlobal("localStorage", storage(1_000_000));
  for (let index = 0; index <= 100; index += 1) keep(notebook(`No. ${index}`));
  expect(titles()).toHaveLength(100);
  expect(titles().at(-1)).toBe("No. 1");
});

test("a browser that refuses to keep anything says so", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(keep(notebook("Lost"))[0]).toBe("nothing");
  expect(keptNotebooks()).toEqual([]);
});
