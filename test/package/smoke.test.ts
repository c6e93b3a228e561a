import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OLDEST_NODE } from "../../src/node-version.ts";
import { endService } from "../notebook/own-service.ts";
import { installNode, npmInstall, oldestNode } from "./node-versions.ts";
import { pack } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "ketbook-smoke-"));
const command = "node_modules/ketbook/dist/cli.js";
const ownNode = process.versions.node;
const oldest = `${OLDEST_NODE}.0`;

const bell = `
  import { createRequire } from "node:module";
  import { run } from "ketbook";
  const required = createRequire(import.meta.url)("ketbook");
  const program = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;';
  const result = await run(program).on("svc:svc:sim:statevector").shots(1000);
  const picture = Buffer.from(result.histogram().toPNG()).toString("latin1", 1, 4);
  console.log(JSON.stringify({ sameInstance: required.run === run, counts: result.counts, picture }));`;

beforeAll(async () => {
  npmInstall(folder, await pack(), "tslab");
  writeFileSync(join(folder, "bell.mjs"), bell);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a Node in the folder of the installed package, with a data folder of its own. */
function runOn(node: string, data: string, ...options: string[]) {
  const { KETBOOK_URL, KETBOOK_API_KEY, ...env } = process.env;
  return spawnSync(node, options, { cwd: folder, encoding: "utf8", env: { ...env, KETBOOK_DATA: data } });
}

describe.each([oldest, ownNode, "26"])("the installed package on Node %s", version => {
  const data = join(folder, `data-${version}`);
  let node: string | undefined;
  const run = (...options: string[]) => runOn(node!, data, ...options);

  beforeAll(async () => {
    if (version === ownNode) node = process.execPath;
    else if (version === oldest) node = await oldestNode();
    else node = await installNode(join(folder, "nodes"), version);
  }, 300_000);

  afterAll(() => endService(data));

  test("is that version", ({ skip }) => {
    skip(!node);
    expect(run("--version").stdout).toMatch(new RegExp(`^v${version}\\b`));
  });

  test("imports, requires, and runs a Bell program on the local service", ({ skip }) => {
    skip(!node);
    const { stdout, stderr } = run("bell.mjs");
    expect(stderr).toBe("");
    const { sameInstance, counts, picture } = JSON.parse(stdout);
    expect({ sameInstance, picture }).toEqual({ sameInstance: true, picture: "PNG" });
    expect(Object.keys(counts).sort()).toEqual(["00", "11"]);
    expect(counts["00"] + counts["11"]).toBe(1000);
  });

  test("has a command line, whose doctor finds nothing missing", ({ skip }) => {
    skip(!node);
    expect(run(command, "--help")).toMatchObject({ status: 0, stderr: "" });
    const { status, stdout } = run(command, "doctor");
    expect(stdout).not.toContain("✗");
    expect(status).toBe(0);
  });
});

test("on an older Node, importing, requiring and the command line say in one sentence what is needed", async ({
  skip,
}) => {
  const node = await installNode(join(folder, "nodes"), "20");
  skip(!node);
  const sentence = `Ketbook needs Node ${OLDEST_NODE} or later, and this is Node 20.`;
  const data = join(folder, "data-20");
  expect(runOn(node!, data, "bell.mjs").stderr).toContain(sentence);
  expect(runOn(node!, data, "-e", "require('ketbook')").stderr).toContain(sentence);
  expect(runOn(node!, data, command, "run", "x.ipynb").stderr).toContain(sentence);
}, 300_000);
