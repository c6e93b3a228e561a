import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { code, finished, hasGone, notebookFile, whenWritten, workspace } from "./support.ts";

describe.concurrent("ketbook run", { timeout: 60_000 }, () => {
  // The kernel of the others would take the time of its first cell.
  test("ends a cell that runs too long, with everything that it started", { concurrent: false }, async () => {
    const work = workspace(
      notebookFile(
        code(
          "const child = require('child_process').spawn('sleep', ['600']);\nconst quiet = new Int32Array(new SharedArrayBuffer(4));\nconsole.log(process.pid, child.pid)",
        ),
        // It never gives its thread away, and spares the machine.
        code("while (true) Atomics.wait(quiet, 0, 0, 5);"),
      ),
    );
    const { code: exit, stderr } = await work.run("--timeout", "4");
    expect(exit).toBe(1);
    expect(stderr).toBe(
      "Cell 2 failed (while (true) Atomics.wait(quiet, 0, 0, 5);)\nCellTimeout: The cell ran longer than 4 s and was ended.\n",
    );
    const [kernel, child] = work.cells()[0]!.outputs[0].text[0].split(" ").map(Number);
    expect(await hasGone(kernel)).toBe(true);
    expect(await hasGone(child)).toBe(true);
    expect(work.temporaryFiles()).toEqual([]);
  });

  test("says so when the cells' process, or the kernel, ends in the middle of a cell", async () => {
    const work = workspace(
      notebookFile(
        code('process.kill(process.pid, "SIGKILL"); while (true);', { tags: ["raises-exception"] }),
        code('process.kill(process.ppid, "SIGKILL"); while (true);'),
      ),
    );
    const { code: exit, stderr } = await work.run();
    expect(exit).toBe(1);
    expect(stderr).toContain("KernelEnded: The kernel ended while this cell ran (signal SIGKILL).");
    const [cells, kernel] = work.cells();
    expect(cells?.outputs).toMatchObject([
      {
        output_type: "error",
        ename: "CellsEnded",
        evalue: expect.stringContaining("The cells' process ended (SIGKILL"),
      },
    ]);
    expect(kernel?.outputs).toMatchObject([{ output_type: "error", ename: "KernelEnded" }]);
  });

  test("leaves no kernel behind that computes when it is killed itself", async () => {
    const work = workspace(
      notebookFile(
        code("require('fs').writeFileSync('pid', String(process.pid))"),
        code("require('fs').writeFileSync('busy', '1'); while (true);"),
      ),
    );
    const child = work.start();
    const end = finished(child);
    const pid = Number(await whenWritten(join(work.folder, "pid")));
    await whenWritten(join(work.folder, "busy"));
    child.kill("SIGKILL");
    await end;
    expect(await hasGone(pid)).toBe(true);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGKILL", null],
  ] as const)("leaves no kernel behind after %s", async (signal, exit) => {
    const work = workspace(
      notebookFile(
        code("require('fs').writeFileSync('pid', String(process.pid))"),
        code(
          "require('fs').writeFileSync('busy', '1'); await new Promise(done => setTimeout(done, 600_000))",
        ),
      ),
    );
    const child = work.start();
    const end = finished(child);
    const pid = Number(await whenWritten(join(work.folder, "pid")));
    await whenWritten(join(work.folder, "busy"));
    child.kill(signal);
    expect((await end).code).toBe(exit);
    expect(await hasGone(pid)).toBe(true);
    expect(work.temporaryFiles()).toEqual([]);
    if (signal !== "SIGKILL") expect(work.cells()[1]?.outputs).toMatchObject([{ ename: "Interrupted" }]);
  });
});
