import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { connectKernel } from "../../src/cli/ipynb/kernel.ts";
import { newConnection } from "../../src/cli/ipynb/kernel-process.ts";
import { collectOutputs } from "../../src/ipynb/outputs.ts";
import { newFolder } from "../folder.ts";
import { displayable, finished, hasGone, startCli } from "../notebook-run/support.ts";
import { ketbookHere } from "../service/command-line.ts";
import type { Ended } from "../service/process.ts";

function ketbook(args: string[], env: NodeJS.ProcessEnv) {
  return finished(startCli(args, env));
}

/** Runs a command in this process, which the first test starts as a process. */
async function ketbookIn(args: string[], env: NodeJS.ProcessEnv, cwd = process.cwd()): Promise<Ended> {
  const here = process.cwd();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.chdir(cwd);
  try {
    return await ketbookHere(...args);
  } finally {
    process.chdir(here);
    vi.unstubAllEnvs();
  }
}

test("an installed kernel starts by the command that it names, and is removed without a trace", async () => {
  const home = newFolder();
  const env = { JUPYTER_DATA_DIR: join(home, "jupyter") };
  const installed = await ketbook(["kernel", "install"], env);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  const folder = join(home, "jupyter", "kernels", "ketbook");
  expect(installed.stdout).toContain(folder);
  const spec = JSON.parse(readFileSync(join(folder, "kernel.json"), "utf8"));
  expect(spec).toMatchObject({
    display_name: "TypeScript (Ketbook)",
    language: "typescript",
    interrupt_mode: "message",
  });
  expect(spec.argv).toContain(process.execPath);
  expect((await ketbook(["doctor"], env)).stdout).toContain(`✓ Kernelspec   ${folder}`);

  const connection = await newConnection();
  const file = join(home, "connection.json");
  writeFileSync(file, JSON.stringify(connection));
  const [command, ...args] = spec.argv.map((part: string) => part.replace("{connection_file}", file));
  const kernel = spawn(command, args, { stdio: "ignore", detached: true });
  const outputs = collectOutputs(1e6);
  const client = connectKernel(createRequire(import.meta.url)("zeromq"), connection, outputs.take);
  try {
    expect(await client.ready()).toMatchObject({ implementation: "ketbook" });
    const { id, done } = client.execute(displayable('{ "text/html": "<b>rich</b>" }'));
    const cell = outputs.open(id);
    expect(await done).toMatchObject({ status: "ok", execution_count: 1 });
    expect(cell.outputs).toMatchObject([
      { output_type: "execute_result", data: { "text/html": "<b>rich</b>" } },
    ]);
  } finally {
    client.close();
    process.kill(-kernel.pid!, "SIGKILL");
  }
  expect(await hasGone(kernel.pid!)).toBe(true);

  expect(await ketbook(["kernel", "remove"], env)).toMatchObject({ code: 0, stdout: `Removed ${folder}\n` });
  expect(readdirSync(home)).toEqual(["connection.json"]);
  expect((await ketbook(["kernel", "remove"], env)).code).toBe(0);
});

const noPath = { PATH: newFolder() };

/** A package that says, in the place of a kernel, which one it is and what it was started with. */
function fakePackage(folder: string, version: string, node: string): void {
  mkdirSync(join(folder, "dist"), { recursive: true });
  const manifest = { name: "ketbook", version, engines: { node }, type: "module" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const kernel = `console.log("${version}", ...process.argv.slice(2))`;
  writeFileSync(join(folder, "dist/kernel.js"), kernel);
}

async function specIn(home: string, ...options: string[]): Promise<{ argv: string[]; display_name: string }> {
  const env = { JUPYTER_DATA_DIR: home };
  expect(await ketbookIn(["kernel", "install", ...options], env)).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(readFileSync(join(home, "kernels/ketbook/kernel.json"), "utf8"));
}

test("each notebook's folder has its own Ketbook, whichever project has installed the kernel, and list says which", async () => {
  const home = newFolder();
  const { argv, display_name } = await specIn(home, "--display-name", "Ours", "--preload");
  expect(display_name).toBe("Ours");
  for (const [name, version] of [
    ["one", "7.0.0"],
    ["two", "8.0.0"],
  ] as const) {
    fakePackage(join(home, name, "node_modules/ketbook"), version, ">=18.0");
    const cwd = join(home, name, "deep/notebooks");
    mkdirSync(cwd, { recursive: true });
    const [, launcher = "", , ...rest] = argv;
    const { stdout } = spawnSync(process.execPath, [launcher, "file.json", ...rest], {
      cwd,
      encoding: "utf8",
    });
    expect(stdout).toBe(`${version} --connection file.json --preload\n`);
    const listed = await ketbookIn(["kernel", "list"], { JUPYTER_DATA_DIR: home }, cwd);
    expect(listed.stdout).toContain(
      `ketbook\tOurs\n  ${join(home, "kernels/ketbook")}\n  starts Ketbook ${version} in `,
    );
  }
  expect((await ketbookIn(["kernel", "uninstall"], { JUPYTER_DATA_DIR: home })).code).toBe(0);
  const none = await ketbookIn(["kernel", "list"], { JUPYTER_DATA_DIR: home });
  expect(none.stdout).not.toContain("Ours");
});

test.each([
  ["the package has gone", "0.0", "Ketbook is not installed in"],
  ["Node is too old", ">=99.1", "needs Node 99.1 or later, and Jupyter starts Node"],
])("where %s, the notebook says so", async (_, node, reason) => {
  const home = newFolder();
  const { argv } = await specIn(home);
  if (node !== "0.0") fakePackage(join(home, "node_modules/ketbook"), "9.0.0", node);
  const connection = await newConnection();
  const file = join(home, "connection.json");
  writeFileSync(file, JSON.stringify(connection));
  const args = [argv[1]!, file, "/nowhere/ketbook", "/nowhere/node"];
  const kernel = spawn(process.execPath, args, { cwd: home, stdio: "ignore", env: noPath });
  const ended = once(kernel, "exit");
  const outputs = collectOutputs(1e6);
  const client = connectKernel(createRequire(import.meta.url)("zeromq"), connection, outputs.take);
  try {
    expect(await client.ready()).toMatchObject({ status: "ok", banner: expect.stringContaining(reason) });
    const { id, done } = client.execute("1 + 1");
    const cell = outputs.open(id);
    expect(await done).toMatchObject({ status: "error", ename: "KetbookNotStarted", execution_count: 1 });
    expect(cell.outputs).toMatchObject([{ output_type: "error", evalue: expect.stringContaining(reason) }]);
    client.shutdown();
    expect((await ended)[0]).toBe(0);
  } finally {
    client.close();
    kernel.kill("SIGKILL");
  }
});

test("a launcher that an old Node starts runs the kernel on the Node that installed it", async () => {
  const home = newFolder();
  const { argv } = await specIn(home);
  fakePackage(join(home, "node_modules/ketbook"), "9.0.0", ">=99.1");
  const newer = join(home, "newer-node");
  writeFileSync(
    newer,
    '#!/bin/sh\nif [ "$1" = --version ]; then echo v99.2.0; else echo "started $@"; exit 3; fi\n',
    {
      mode: 0o755,
    },
  );
  const args = [argv[1]!, "file.json", "/nowhere/ketbook", newer];
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: home,
    encoding: "utf8",
    env: { PATH: "/bin:/usr/bin" },
  });
  expect(stdout).toMatch(/^started .*ketbook\/dist\/kernel\.js --connection file\.json\n$/);
  expect(status).toBe(3);
});

test("a kernel goes into the Python environment that is active", async () => {
  const prefix = newFolder();
  const env = { VIRTUAL_ENV: prefix };
  expect((await ketbookIn(["kernel", "install", "--sys-prefix"], env)).code).toBe(0);
  expect(existsSync(join(prefix, "share/jupyter/kernels/ketbook/kernel.json"))).toBe(true);
  const both = await ketbookIn(["kernel", "remove", "--sys-prefix", "--prefix", prefix], env);
  expect(both).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be used with option '--prefix"),
  });
  const user = await ketbookIn(["kernel", "install", "--user", "--prefix", prefix], env);
  expect(user).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be used with option '--user'"),
  });
  expect((await ketbookIn(["kernel", "remove", "--sys-prefix"], env)).code).toBe(0);
});

test("a kernel goes under a prefix and a name of one's own, and never in the place of a foreign one", async () => {
  const prefix = newFolder();
  const kernels = join(prefix, "share", "jupyter", "kernels");
  expect((await ketbookIn(["kernel", "install", "--prefix", prefix, "--name", "mine"], {})).code).toBe(0);
  expect(existsSync(join(kernels, "mine", "kernel.json"))).toBe(true);
  mkdirSync(join(kernels, "theirs"));
  writeFileSync(join(kernels, "theirs", "kernel.json"), '{ "argv": [] }');
  for (const verb of ["install", "remove"]) {
    const refused = await ketbookIn(["kernel", verb, "--prefix", prefix, "--name", "theirs"], {});
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("was not made by Ketbook") });
  }
  expect((await ketbook(["kernel", "install", "--prefix", prefix, "--name", "../up"], {})).code).toBe(1);
  expect((await ketbookIn(["kernel", "remove", "--prefix", prefix, "--name", "mine"], {})).code).toBe(0);
  expect(readdirSync(kernels)).toEqual(["theirs"]);
});

test("the doctor says what is missing and how to mend it", async () => {
  const home = newFolder();
  writeFileSync(join(home, "file"), "");
  const env = { JUPYTER_DATA_DIR: join(home, "jupyter"), PATH: home, KETBOOK_DATA: join(home, "data") };
  const healthy = await ketbookIn(["doctor"], env);
  expect(healthy.code).toBe(0);
  expect(healthy.stdout).toMatch(/✓ Node +\d+\.\d+\.\d+\n✓ HTTP .*answered\n✓ Store +SQLite 3/);
  expect(healthy.stdout).toMatch(/✓ Kernel +Oxc, and TypeScript 7\.\d+\.\d+\n✓ Messages +zeromq /);
  expect(healthy.stdout).toMatch(
    /✓ Pictures .*\n✓ Data folder .*\n✓ Service .*\n– Jupyter .*pip install jupyterlab\n/,
  );
  expect(healthy.stdout).toContain(
    "– Kernelspec   not installed; Jupyter and VS Code need it: npx ketbook kernel install",
  );

  const folder = join(home, "jupyter", "kernels", "ketbook");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "kernel.json"), JSON.stringify({ argv: [join(home, "gone")] }));
  const ill = await ketbookIn(["doctor"], { ...env, KETBOOK_DATA: join(home, "file", "data") });
  expect(ill.code).toBe(1);
  expect(ill.stdout).toMatch(/✗ Data folder .*set KETBOOK_DATA to a folder of yours\n/);
  expect(ill.stdout).toMatch(/– Kernelspec .*\/gone, which has gone: npx ketbook kernel install\n/);

  const old = join(home, "old-node");
  writeFileSync(old, "#!/bin/sh\necho v20.9.0\n", { mode: 0o755 });
  writeFileSync(join(folder, "kernel.json"), JSON.stringify({ argv: [old] }));
  expect((await ketbookIn(["doctor"], env)).stdout).toMatch(
    /– Kernelspec .*needs Node \d+\.\d+ or later, and this is Node 20\.9\.0.*npx ketbook kernel install\n/,
  );
});

test("the doctor finds Jupyter by its command, in a virtual environment, and in a Python that has it", async () => {
  const home = newFolder();
  const program = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  };
  const found = async (env: NodeJS.ProcessEnv) =>
    (await ketbookIn(["doctor"], { PATH: home, ...env })).stdout;
  program(join(home, "pythons", "python3"), "echo notebook 6.4.12");
  program(join(home, "bare", "python3"), "exit 0");
  expect(await found({ PATH: `${home}/bare:${home}/pythons` })).toContain(
    `✓ Jupyter      notebook 6.4.12, by ${join(home, "pythons", "python3")} -m jupyter`,
  );
  expect(await found({ PATH: join(home, "bare") })).toContain("– Jupyter      not found;");
  const command = program(join(home, "path", "jupyter"), "");
  expect(await found({ PATH: join(home, "path") })).toContain(`✓ Jupyter      ${command}`);
  const active = program(join(home, "env", "bin", "jupyter-lab"), "");
  expect(await found({ VIRTUAL_ENV: join(home, "env") })).toContain(`✓ Jupyter      ${active}`);
});
