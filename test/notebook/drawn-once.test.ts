import { inspect } from "node:util";
import { expect, test } from "vitest";
import { histogram } from "../../src/charts/index.ts";
import { displayMetadata, jupyterDisplay } from "../../src/display/index.ts";
import { DisplayableValue } from "../../src/notebook/values/displayable-value.ts";

/** A value that shows itself as a chart, and counts the pictures that are drawn of it. */
class Counted extends DisplayableValue {
  drawn = 0;

  protected override render() {
    const chart = histogram({ counts: { "00": 503, "11": 497 }, shots: 1000 });
    return Object.assign(chart, {
      toSVG: () => {
        this.drawn += 1;
        return Object.getPrototypeOf(chart).toSVG.call(chart);
      },
    });
  }
}

test("a value whose face is a chart is drawn once for its bundle and the size of its picture", () => {
  const value = new Counted();
  expect(value[jupyterDisplay]()).toHaveProperty("image/png");
  expect(value[displayMetadata]()).toMatchObject({ "image/png": { width: expect.any(Number) } });
  expect(value.drawn).toBe(1);
  expect(value[displayMetadata]()).toHaveProperty("image/png");
  expect(value.drawn).toBe(2);
});

test("as text, it draws no picture, and says what its bundle does", () => {
  const value = new Counted();
  const [text, line] = [inspect(value), String(value)];
  expect(value.drawn).toBe(0);
  expect(text).toBe(value[jupyterDisplay]()["text/plain"]);
  expect(text.split("\n")).toContain(line);
});
