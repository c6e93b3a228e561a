import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { OLDEST_NODE } from "../../src/node-version.ts";

interface LockedPackage {
  version: string;
  resolved?: string;
  dev?: boolean;
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
}

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const locked: Record<string, LockedPackage> = JSON.parse(read("package-lock.json")).packages;

/** Whether the lock has a package where Node would look for it: in the folder of the one that names it, or above. */
function isLocked(name: string, from: string): boolean {
  if (locked[`${from && `${from}/`}node_modules/${name}`]) return true;
  return from !== "" && isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

/** The lowest version that a range such as `>=20.x` or `^20.19 || >=22.12` lets through, as one number. */
function floorOf(range: string): number {
  const floors = range.split("||").map(part => {
    const [, major, minor = 0, patch = 0] = /^\s*(?:>=|\^)?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(part) ?? [];
    return (Number(major) * 1000 + Number(minor)) * 1000 + Number(patch);
  });
  expect(floors, range).not.toContain(Number.NaN);
  return Math.min(...floors);
}

test("the lock file has each optional package of each platform", () => {
  const named = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map(name => ({ name, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name, path }) => !isLocked(name, path))).toEqual([]);
});

test("the lock file names no registry's host", () => {
  expect(Object.values(locked).filter(({ resolved }) => resolved?.includes("://"))).toEqual([]);
});

test("Node's floor is the highest that a package which is installed with Ketbook has", () => {
  const floors = Object.entries(locked)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .flatMap(([, { engines }]) => engines?.node ?? []);
  expect(floors.length).toBeGreaterThan(5);
  expect(floorOf(manifest.engines.node)).toBe(Math.max(...floors.map(floorOf)));
});

test("the README names Node's floor", () => {
  expect(read("README.md")).toContain(`Ketbook needs Node ${OLDEST_NODE} or later`);
});

test("CI runs the very commands that the README tells a newcomer to run", () => {
  const commands = [...read("README.md").matchAll(/^npm .*&& npm .*$/gm)].map(([command]) => command);
  expect(commands).toEqual(["npm ci && npm start", "npm ci && npm test"]);
  // One installation serves both.
  expect(read(".ci/run").split("\n")).toEqual(expect.arrayContaining(["npm ci && npm test", "npm start"]));
  const [whole, platforms] = read(".github/workflows/ci.yml").split("\n  platforms:\n");
  expect(whole).toMatch(/run: .*bash \.ci\/run$/m);
  expect([...platforms!.matchAll(/- run: (.*)/g)].map(([, command]) => command)).toEqual(commands);
});
