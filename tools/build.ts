import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hashOf } from "./hash.ts";

/*
 * Builds dist, unless it was built from what is here now: commands that build before they begin cost nothing when it was.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const cache = `${root}node_modules/.cache/ketbook`;
const stamp = `${cache}/build`;
const SOURCES = [
  ".tsdown.ts",
  "notebooks/course",
  "package-lock.json",
  "package.json",
  "src",
  "tools",
  "tsconfig.json",
  "tsconfig.types.json",
];

/** The sources, and when the last file of the build was written: other builds and clean folders are noticed. */
const state = () =>
  `${hashOf(SOURCES)} ${statSync(`${root}dist/index.d.ts`, { throwIfNoEntry: false })?.mtimeMs}`;

function read(): string | undefined {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}

if (read() !== state()) {
  // A compiler written in Go, which makes the declarations, collects its garbage less often.
  const env = { GOGC: "400", ...process.env };
  const options = ["--config", ".tsdown.ts", "--log-level", "error"];
  const { status } = spawnSync("tsdown", options, { cwd: root, env, stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status === 0) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(stamp, state());
  }
}
