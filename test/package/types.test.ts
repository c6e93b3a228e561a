import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked, pack } from "./packed.ts";

const modules = join(import.meta.dirname, "../../node_modules");
let folder: string;

beforeAll(async () => {
  folder = await installPacked();
  for (const ending of ["ts", "cts", "mts"]) {
    writeFileSync(join(folder, `cell.${ending}`), cell);
    writeFileSync(join(folder, `using.${ending}`), cell + using);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a tool of this project in the folder of the packed library. */
function node(tool: string, ...options: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(modules, tool), ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

const cell = `
  import { createGroup, devices, job, Ketbook, qasm, run, type Result } from "ketbook";
  import { fetchResult, type RuntimeJob } from "ketbook/client";
  import { check, type CheckResult } from "ketbook/course";
  export async function cell(): Promise<string> {
    const bell = qasm\`h q[\${0}];\`;
    const result: Result = await run(bell).on("a:b:c:d").shots(10).options({ seed: 1 });
    const handle = await run(bell).submit();
    const [first] = await devices({ deviceType: "QPU" }).filter(d => d.numberQubits! > 5);
    // @ts-expect-error shots takes a number
    run(bell).shots("many");
    const record: Readonly<RuntimeJob> = (await job(handle.qrn)).record;
    await fetchResult(new Ketbook().client.jobs, record.jobQrn);
    const checked: CheckResult = await check("bell", bell);
    if (!checked.passed) return checked.toJSON().exercise;
    return result.counts["00"]!.toFixed() + first!.name + record.status;
  }`;
const using = `
  export async function using(): Promise<void> {
    await using together = await createGroup({});
    await run("").in(together);
  }`;

const node10 = "--target es2022 --lib es2022 --module commonjs --moduleResolution node10";
const node16 = "--target es2022 --lib es2022 --typeRoots none --module node16";
const newest =
  "--exactOptionalPropertyTypes --target es2024 --lib es2024,esnext.disposable --module nodenext --types node";

/**
 * Checks types by commands of a compiler, given by its module, as `tsc` does but for the default libraries and those of Node,
 * and prints what is wrong.
 */
const CHECK = `
const [path, ...commands] = process.argv.slice(1);
const ts = require(path);
const libraries = new Map();
for (const command of commands) {
  const { options, fileNames, errors } = ts.parseCommandLine(command.split(" "));
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!name.startsWith(host.getDefaultLibLocation())) return getSourceFile(name, ...rest);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram(fileNames, options, host);
  // Of Node's types, those that merge with the library's may be at odds with them.
  const isOwn = ({ fileName, text }) =>
    !fileName.includes("/@types/node/") || /interface (?:AbortSignal|SymbolConstructor)\\b/.test(text);
  const files = program.getSourceFiles().filter(file => !program.isSourceFileDefaultLibrary(file) && isOwn(file));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap(file => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  process.stdout.write(ts.formatDiagnostics(found, host));
  const own = files.filter(({ fileName }) => fileName.includes("/ketbook/dist/"));
  if (own.length < 5) process.stdout.write("Only " + own.length + " files of the library are checked.");
}`;

test.each([
  [
    "tslab's own TypeScript",
    "@tslab/typescript-for-tslab/lib/typescript.js",
    [`${node10} --types node cell.ts`],
  ],
  [
    "TypeScript 5.0 with nothing but es2022, and there in CommonJS and in an ES module",
    "typescript-5.0/lib/typescript.js",
    [`${node10} --typeRoots none cell.ts`, `${node16} cell.cts cell.mts`],
  ],
  [
    "TypeScript 5.9 with a browser's types",
    "typescript-5.9/lib/typescript.js",
    [`${newest} --lib esnext,dom using.mts`],
  ],
])("the types check under %s", (_, compiler, commands) => {
  const lines = commands.map(each => `--noEmit --strict ${each}`);
  const checked = spawnSync(process.execPath, ["-e", CHECK, join(modules, compiler), ...lines], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(checked).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

test("the types check under the newest TypeScript, in an ES module and in CommonJS", () => {
  const options = ["--noEmit", "--strict", "--skipDefaultLibCheck", ...newest.split(" ")];
  expect(node("typescript/bin/tsc", ...options, "using.mts", "using.cts")).toEqual({ status: 0, output: "" });
});

test("the types name no other package, and nothing twice", () => {
  const dist = join(folder, "node_modules/ketbook/dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(file =>
    /\.d\.c?ts$/.test(file),
  );
  expect(files).toHaveLength(10);
  for (const file of files) {
    const types = readFileSync(join(dist, file), "utf8");
    expect(types).not.toMatch(/^(?! *\*).*(?:from ["'](?!\.)|import\()/m);
    expect(types).not.toMatch(/^(?:export )?(?:declare )?(?:interface|type|class|function|const) \w+\$\d/m);
  }
});

test("the package is what its manifest says, for CommonJS, ES modules, bundlers and older resolution", async () => {
  const tarball = await pack();
  expect(node("publint/src/cli.js", tarball, "--strict")).toMatchObject({ status: 0 });
  const { status, output } = node("@arethetypeswrong/cli/dist/index.js", tarball, "--format", "json");
  expect(JSON.parse(output).problems).toEqual({});
  expect(status).toBe(0);
});
