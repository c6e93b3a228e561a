import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { specificationCheck } from "../charts/schema.ts";
import { unavailable } from "./available.ts";
import { closePages, workerBrowser } from "./browser.ts";
import { grounds, pictureFaults } from "./picture-faults.ts";
import { pictureGrid } from "./picture-grid.ts";

/** The part of the grid that is quick to draw; `node test/front-ends/check-pictures.ts` checks all of it. */
const isQuick = ({ name }: { name: string }) =>
  /-240$/.test(name) && !/1048576|-1024-(?!top256)|-366-|circuit-wide/.test(name);

const isValid = specificationCheck();

describe.skipIf(unavailable("chromium"))("pictures in Chromium", () => {
  let page: Page;

  beforeAll(async () => {
    page = await (await workerBrowser()).newPage();
  }, 60_000);
  afterAll(closePages);

  test.each(pictureGrid().filter(isQuick))(
    "$name: its specification is valid, and no text lies over another, is cut or fades",
    async ({ draw, spec }) => {
      if (spec) expect(isValid(spec())).toBe(true);
      const svg = draw();
      for (const ground of Object.values(grounds)) expect(await pictureFaults(page, svg, ground)).toEqual([]);
    },
    60_000,
  );

  test("faults are found where there are some", async () => {
    const text = (at: string, words: string, fill = "#000000") =>
      `<text ${at} fill="${fill}">${words}</text>`;
    const faulty = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${[
      text('x="10" y="40"', "one"),
      text('x="20" y="44"', "other"),
      text('x="180" y="80"', "wide"),
      text('x="60" y="90"', "pale", "#dddddd"),
      text('transform="translate(100, 60) rotate(-90)"', "upright"),
    ].join("")}</svg>`;
    expect(await pictureFaults(page, faulty)).toEqual([
      '"other" lies over "one"',
      '"wide" is cut at the edge',
      expect.stringMatching(/^"pale" has a contrast of 1\.\d\d$/),
    ]);
  });
});
