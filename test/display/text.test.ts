import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clip, clipMiddle, pad, singleLine, terminalWidth, visible } from "../../src/display/index.ts";
import { hostileTexts } from "./records.ts";

describe("visible", () => {
  test("shows what would steer a terminal or turn a line around", () => {
    expect(visible("\u001b[31mred")).toBe("␛[31mred");
    expect(visible("a\u202eb")).toBe("a‹U+202E›b");
    expect(visible("\u007f\u0085")).toBe("␡‹U+0085›");
    expect(visible("\ud800")).toBe("‹U+D800›");
  });

  test("leaves ordinary text alone, emoji of several parts too", () => {
    for (const text of ["Bell π/2 ⟩ é 量子", "👩‍🔬 ok", "tab\tand\nline"]) expect(visible(text)).toBe(text);
  });

  test("cuts down piles of combining marks", () => {
    expect(visible(`a${"\u0301".repeat(500)}b`)).toBe(`a${"\u0301".repeat(4)}b`);
  });
});

describe("clip", () => {
  test("keeps to the limit and never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.integer({ min: 1, max: 30 }),
        (text, max) => {
          const clipped = clip(text, max);
          expect(Array.from(clipped).length).toBeLessThanOrEqual(max);
          expect(clipped.isWellFormed()).toBe(true);
        },
      ),
    );
    expect(clip("abcdef", 4)).toBe("abc…");
    expect(clip("abcd", 4)).toBe("abcd");
    expect(clip("😀😀😀", 3)).toBe("😀😀😀");
    expect(clip("ab👩‍🔬cd", 5)).toBe("ab…");
    expect(clip("e\u0301e\u0301e\u0301", 4)).toBe("e\u0301…");
    expect(clipMiddle("😀abcdef👩‍🔬", 6)).toBe("😀ab…");
  });

  test("leaves out the middle where both ends matter", () => {
    expect(clipMiddle("0000011111", 5)).toBe("00…11");
    expect(clipMiddle("0101", 5)).toBe("0101");
  });
});

test("plain makes one bounded line without control characters of anything", () => {
  for (const text of hostileTexts) {
    const line = singleLine(text);
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(line.length).toBeLessThan(2500);
  }
});

test("columns line up for wide characters and combining marks", () => {
  expect(terminalWidth("量子")).toBe(4);
  expect(terminalWidth("e\u0301")).toBe(1);
  expect(pad("量", 4)).toBe("量  ");
  expect(pad("7", 3, "right")).toBe("  7");
});
