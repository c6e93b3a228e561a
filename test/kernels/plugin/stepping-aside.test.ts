import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../notebook-run/support.ts";
import { openSession, textOf } from "./session.ts";

/** A folder with a tslab in which something has another name than in the versions that Ketbook knows. */
function renamedIn(file: string, ...names: string[]): string {
  const folder = newFolder();
  const real = dirname(createRequire(import.meta.url).resolve("tslab/package.json"));
  const copy = join(folder, "node_modules", "tslab");
  cpSync(real, copy, { recursive: true, filter: path => !path.slice(real.length).includes("node_modules") });
  for (const name of ["@tslab", "zeromq", "commander", "semver"])
    symlinkSync(join(real, "..", name), join(folder, "node_modules", name), "junction");
  symlinkSync(join(real, "node_modules"), join(copy, "node_modules"), "junction");
  const path = join(copy, "dist", file);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    names.reduce((each, name) => each.replaceAll(name, `${name}Renamed`), text),
  );
  for (const name of names) {
    const main = join(copy, "dist", "main.js");
    writeFileSync(main, readFileSync(main, "utf8").replaceAll(`.${name})`, `.${name}Renamed)`));
  }
  return folder;
}

test("where the executor can't be hooked, tslab does what it does by itself, and one warning says so", async () => {
  const session = await openSession({ folder: renamedIn("executor.js", "createExecutor") });
  const first = await session.run("1 + 1");
  expect(first.outputs).toMatchObject([
    { name: "stderr", text: expect.stringMatching(/tslab, 1\.0\.22: it lacks createExecutor/) },
    { name: "stdout", text: "2\n" },
  ]);
  expect((await session.run("2 + 2")).outputs).toEqual([
    { output_type: "stream", name: "stdout", text: "4\n" },
  ]);
});

test("where only the answers to questions can't be hooked, everything else is there", async () => {
  const session = await openSession({ folder: renamedIn("jupyter.js", "handleInspect") });
  const first = await session.run("1 + 1");
  expect(first.outputs[0]).toMatchObject({
    name: "stderr",
    text: expect.stringContaining("JupyterHandlerImpl"),
  });
  expect(textOf(first)).toBe("2");
  expect((await session.run("'quiet'")).outputs).toHaveLength(1);
});
