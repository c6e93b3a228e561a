import fc from "fast-check";
import { expect, test } from "vitest";
import { html, raw } from "../../src/display/index.ts";
import { faultsOf } from "./sanitizer.ts";

test("escapes what is put in, and joins arrays", () => {
  expect(html`<b>${"<i>&"}</b>`.toString()).toBe("<b>&lt;i&gt;&amp;</b>");
  expect(html`${["a", html`<i>${"<"}</i>`, 3]}`.toString()).toBe("a<i>&lt;</i>3");
});

test("leaves nothing for what is missing, and 0 for 0", () => {
  expect(html`${null}${undefined}${false}${0}`.toString()).toBe("0");
});

test("keeps markup only when it says so", () => {
  expect(html`${raw("<hr>")}`.toString()).toBe("<hr>");
  const forged = { toString: () => "<hr>", markup: "<hr>" } as unknown as string;
  expect(html`${forged}`.toString()).toBe("&lt;hr&gt;");
});

test("no text gets out of an element or an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), text => {
      expect(faultsOf(html`<div title="${text}">${text}</div>`.toString())).toEqual([]);
    }),
  );
});

test("a text of a megabyte is bounded", () => {
  expect(html`${"&".repeat(1_000_000)}`.toString().length).toBeLessThan(25_000);
});
