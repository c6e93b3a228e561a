import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import * as ketbook from "../../src/index.ts";
import { TIERS, type Tier } from "../../src/service/accounts/caller.ts";
import { packedFiles } from "../package/packed.ts";
import { ketbookHere } from "../service/command-line.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith(".md"))
    .map(name => join(folder, name));
const files = await packedFiles();
const isLesson = (name: string) => name.endsWith(".ipynb");
const guide = pagesIn("docs/guide");
const all = [
  ...guide,
  ...pagesIn("docs"),
  ...pagesIn("notebooks/course"),
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
];

test("the guide shows every helper that the library exports, and names every error", () => {
  const text = [...guide, "docs/devices.md"].map(read).join("\n");
  const missing = Object.keys(ketbook).filter(name => !new RegExp(`\\b${name}\\b`).test(text));
  expect(missing).toEqual([]);
});

test("every block of TypeScript stands where the site executes it", () => {
  const blocks = guide.flatMap(path => read(path).match(/^```\w*$/gm) ?? []);
  expect(new Set(blocks)).toEqual(new Set(["```ts", "```sh", "```"]));
});

describe("links in Markdown", () => {
  const packed = new Set(files);
  const links = all.flatMap(path =>
    [...read(path).matchAll(/(?:\]\(|src(?:set)?=")(?!\w+:|#)([^)"#]+)/g)].map(([, to]) => ({
      path,
      // The package has the course without its solutions, in another folder.
      to: normalize(join(dirname(path), to!))
        .replace(/\/$/, "")
        .replace(/^notebooks\/course/, "dist/course"),
    })),
  );

  test("lead to files that the package has, too", () => {
    expect(links.length).toBeGreaterThan(30);
    const isThere = (to: string) => packed.has(to) || [...packed].some(file => file.startsWith(`${to}/`));
    expect(links.filter(({ to }) => !isThere(to))).toEqual([]);
  });
});

test("commands in the guide are commands of the program, with options that there are", async () => {
  const lines = guide.flatMap(path => read(path).match(/npx ketbook (?:[a-z]+)(?: [^`\n#]*)?/g) ?? []);
  expect(lines.length).toBeGreaterThan(8);
  const helps = new Map<string, string>();
  for (const line of new Set(lines)) {
    const [, , name = "", sub = ""] = line.split(/\s+/);
    const path = ["keys", "kernel", "device", "course", "class"].includes(name) ? [name, sub] : [name];
    const key = path.join(" ");
    if (!helps.has(key)) helps.set(key, (await ketbookHere(...path, "--help")).stdout);
    expect(helps.get(key), line).toContain(`Usage: ketbook ${key}`);
    for (const option of line.match(/--[a-z-]+/g) ?? []) expect(helps.get(key), line).toContain(option);
  }
}, 60_000);

test("no file of the package has a solution of the course", () => {
  const packed = files.filter(path => /\.(?:ipynb|md|html)$/.test(path));
  const lessons = packed.filter(path => /^dist\/course\/\d\d-.*\.ipynb$/.test(path));
  expect(lessons).toHaveLength(readdirSync(join(root, "notebooks/course")).filter(isLesson).length);
  for (const path of packed.filter(each => each.endsWith(".ipynb")))
    expect(read(path), path).not.toMatch(/###\s*(?:BEGIN|END)/);
  for (const name of lessons) {
    const solved = JSON.parse(read(name.replace("dist", "notebooks"))).cells as { source: string[] }[];
    const [, solution = ""] =
      /BEGIN SOLUTION\n([\s\S]*?)\n\/\/ ### END/.exec(
        solved.map(({ source }) => source.join("")).join("\n"),
      ) ?? [];
    expect(solution.length).toBeGreaterThan(5);
    const released = JSON.parse(read(name)).cells as { source: string[] }[];
    expect(released.map(({ source }) => source.join("")).join("\n"), name).not.toContain(solution);
  }
});

test("the page on courses has the limits of every tier", () => {
  const page = read("docs/guide/class.md");
  const powers = (value: number) => `10${"⁰¹²³⁴⁵⁶⁷⁸⁹"[Math.log10(value)]}`;
  const rows = {
    "jobs per day on each simulator": ({ dailyJobs }: Tier) => String(dailyJobs ?? "no limit"),
    "running jobs": ({ runningJobs }: Tier) => String(runningJobs ?? "no limit"),
    "time per job": ({ job }: Tier) => `${job.seconds} s`,
    "operations per program": ({ job }: Tier) => powers(job.operations),
    "memory per job": ({ job }: Tier) => `${job.bytes / 2 ** 30} GiB`,
    "uncharged compute per day": ({ unchargedSeconds }: Tier) =>
      unchargedSeconds === null ? "no limit" : `${unchargedSeconds} s`,
    "storage of the organization, without students' budgets": ({ storedBytes }: Tier) =>
      storedBytes === null ? "no limit" : `${storedBytes / 2 ** 30} GiB`,
  };
  for (const [title, cell] of Object.entries(rows))
    expect(page).toContain(`| ${title} | ${cell(TIERS.free!)} | ${cell(TIERS.local!)} |`);
});
