import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type Column,
  deviceTable,
  displayable,
  isDisplayable,
  jobTable,
  jupyterDisplay,
  progressView,
  table,
} from "../../src/display/index.ts";
import { everyForm } from "./every-form.ts";
import { device, hostileTexts, job, now } from "./records.ts";
import { faultsOf } from "./sanitizer.ts";

describe.each(hostileTexts.map(text => [JSON.stringify(text.slice(0, 30)), text]))(
  "with %s everywhere",
  (_, text) => {
    const forms = Object.entries(everyForm(text));

    test("no page has anything that a sanitizer drops, nor anything left open", () => {
      for (const [name, form] of forms)
        expect({ name, faults: faultsOf(form.html) }).toEqual({ name, faults: [] });
    });

    test("no terminal gets a control character, and every form is bounded", () => {
      for (const [name, form] of forms) {
        expect(form.text, name).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069]/u);
        expect(form.html.length, name).toBeLessThan(150_000);
        expect(form.text.length, name).toBeLessThan(60_000);
      }
    });
  },
);

describe("the table", () => {
  const columns: Column<{ name: string; shots: number }>[] = [
    { label: "Name", value: row => row.name },
    { label: "Shots", align: "right", value: row => String(row.shots) },
  ];

  test("aligns its columns in a terminal", () => {
    const { text } = table({
      columns,
      rows: [
        { name: "Bell", shots: 1000 },
        { name: "GHZ state", shots: 5 },
      ],
    });
    expect(text.split("\n")).toEqual([
      "Name       Shots",
      "─────────  ─────",
      "Bell        1000",
      "GHZ state      5",
    ]);
  });

  test("marks its headings as headings", () => {
    expect(table({ columns, rows: [] }).html).toContain("<th scope=col");
  });

  test("leaves rows out beyond its limit and says how many", () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ name: `job ${index}`, shots: index }));
    const { text, html } = table({ columns, rows, limit: 10, noun: "jobs" });
    expect(text).toContain("+ 1,990 more (2,000 jobs)");
    expect(html.match(/<tr /g)).toHaveLength(11);
    expect(table({ columns, rows: [], noun: "jobs" }).text).toContain("No jobs.");
  });

  test("shows an em dash for what is missing", () => {
    expect(deviceTable([device({ numberQubits: null, queueDepth: null, pricing: null })]).text).toMatch(
      /—.*—.*—/,
    );
  });
});

test("progress fits one line", () => {
  const view = progressView({
    title: "Bell",
    status: "QUEUED",
    queuePosition: 3,
    elapsedMs: 2300,
    fraction: 0.5,
  });
  expect(view.line).toBe("◔ Bell · QUEUED · position 3 · ██████░░░░░░ 50.0 % · 2.3 s");
});

test("a form shows itself in notebooks and terminals", () => {
  const shown = displayable({ html: "<div></div>", text: "lines" });
  expect(isDisplayable(shown)).toBe(true);
  const markup = '<div class="tex2jax_ignore mathjax_ignore"></div>';
  expect(shown[jupyterDisplay]()).toEqual({ "text/html": markup, "text/plain": "lines" });
  expect(inspect(shown)).toBe("lines");
});

test("costs stand below each other by their decimal points, and one thing is singular", () => {
  const jobs = [130, 0.145, null, 12.5].map(cost => job({ cost, estimatedCost: 7 }));
  const { text, html } = jobTable(jobs, { now, limit: 3, total: 4 });
  const points = text.split("\n").slice(2, 5);
  const at = points.map(line => line.search(/130|\.145|est\. 7/));
  expect(at[0]! + 3).toBe(at[1]);
  expect(at[2]! + "est. 7".length).toBe(at[1]);
  expect(html).toContain("130\u2008\u2007\u2007\u2007");
  expect(table({ rows: [1], limit: 0, noun: "days", columns: [] }).text).toContain("+ 1 more (1 day)");
});
