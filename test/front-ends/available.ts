import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that these tests look through, with the Debian packages that bring them. */
const packages = {
  chromium: "chromium-headless-shell",
  firefox: "firefox-esr",
  "jupyter-nbconvert": "jupyter-nbconvert",
  "jupyter-notebook": "jupyter-notebook",
} as const;

/** A program that these tests look through. */
export type Program = keyof typeof packages;

const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];

/**
 * Where a program stands: Debian's before others. Of Chromium, one without windows takes a fifth less processor time;
 * `CHROMIUM` names another one.
 */
export function pathOf(program: Program): string | undefined {
  const chosen = program === "chromium" ? process.env.CHROMIUM : undefined;
  const paths = [packages[program], program].flatMap(name => folders.map(folder => join(folder, name)));
  return [chosen, ...paths].find(path => path && existsSync(path));
}

/**
 * Whether tests have to be skipped because a program is missing: then a highlighted line on standard error, and a
 * warning of GitHub's, name it and how to get it. Where `CI` is set nothing may be skipped, and it throws.
 */
export function unavailable(...programs: Program[]): boolean {
  const missing = programs.filter(program => !pathOf(program)).map(program => packages[program]);
  if (missing.length === 0) return false;
  const remedy = `install ${missing.join(" and ")} (apt-get install ${missing.join(" ")})`;
  if (process.env.CI) throw new Error(`Tests of what front ends show would be skipped: ${remedy}.`);
  const notice = `SKIPPED: tests of what front ends show. To run them, ${remedy}.`;
  process.stderr.write(`\n\u001b[1;30;43m ${notice} \u001b[0m\n\n`);
  if (process.env.GITHUB_ACTIONS) process.stdout.write(`::warning::${notice}\n`);
  return true;
}
