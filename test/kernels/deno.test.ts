import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectKernel } from "../../src/cli/ipynb/kernel.ts";
import { newConnection } from "../../src/cli/ipynb/kernel-process.ts";
import { collectOutputs } from "../../src/ipynb/outputs.ts";
import { newFolder } from "../folder.ts";
import { displayable, sourceFile } from "../notebook-run/support.ts";

test("Deno's kernel shows a value, replaces what settles and follows live displays in place", async () => {
  const require = createRequire(import.meta.url);
  const connection = await newConnection();
  const file = join(newFolder(), "connection.json");
  writeFileSync(file, JSON.stringify({ ...connection, kernel_name: "deno" }), { mode: 0o600 });
  const deno = join(require.resolve("deno/package.json"), "..", "bin.cjs");
  const kernel = spawn(process.execPath, [deno, "jupyter", "--kernel", "--conn", file], {
    stdio: "ignore",
    detached: true,
  });
  const outputs = collectOutputs(1e6);
  const client = connectKernel(require("zeromq"), connection, outputs.take);
  try {
    await client.ready();
    const run = async (source: string) => {
      const { id, done } = client.execute(source);
      const cell = outputs.open(id);
      expect(await done).toMatchObject({ status: "ok" });
      return cell.outputs;
    };
    const rich = '{ "text/html": "<b>b</b>", "text/plain": "b" }';
    const result = await run(displayable(rich));
    await expect
      .poll(() => result)
      .toMatchObject([
        { output_type: "execute_result", data: { "text/html": "<b>b</b>", "text/plain": "b" } },
      ]);

    const settled = await run(`const { show } = await import("file://" + ${sourceFile("kernels/show.ts")});
let step = 0;
show({
  [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "step " + step }),
  settled: () => new Promise(done => setTimeout(() => { step = 1; done(); }, 300)),
});`);
    await expect.poll(() => settled).toMatchObject([{ data: { "text/plain": "step 1" }, metadata: {} }]);

    const followed = await run(`const { live } = await import("file://" + ${sourceFile("kernels/live.ts")});
const following = live({ interval: 10 });
following.update(${displayable('{ "text/plain": "working" }')});
following.done(${displayable('{ "text/plain": "done" }')});`);
    await expect
      .poll(() => followed)
      .toMatchObject([{ output_type: "display_data", data: { "text/plain": "done" } }]);
  } finally {
    client.close();
    const ended = once(kernel, "exit");
    process.kill(-kernel.pid!, "SIGKILL");
    await ended;
  }
});
