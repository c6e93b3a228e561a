import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { sourceFile } from "../notebook-run/support.ts";

const view = (text: string, line?: string) =>
  `({ ${line === undefined ? "" : `line: ${JSON.stringify(line)},`} [Symbol.for("Jupyter.display")]: () => ({ "text/plain": ${JSON.stringify(text)} }) })`;

function outputOf(program: string, { terminal }: { terminal: boolean }): string {
  const source = `${terminal ? "process.stdout.isTTY = true; process.stdout.columns = 12;" : ""}
const { live } = await import("file://" + ${sourceFile("kernels/live.ts")});
const { show } = await import("file://" + ${sourceFile("kernels/show.ts")});
${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout;
}

test("a terminal shows progress in one line that rewrites itself, cut to its width, and clears it", () => {
  const program = `const l = live({ interval: 1 }); l.update(${view("first line\nsecond", undefined)});
l.update(${view("", "a line that is far too long")}); await new Promise(r => setTimeout(r, 50)); l.clear();`;
  expect(outputOf(program, { terminal: true })).toBe(
    "\r\u001b[2Kfirst line\r\u001b[2Ka line that\r\u001b[2K",
  );
});

test("data can't steer the terminal", () => {
  const hostile = "\u001b[2J\u001b]0;title\u0007\rx";
  const shown = outputOf(
    `show(${view(hostile)}); const l = live(); l.update(${view("", hostile)}); l.clear();`,
    {
      terminal: true,
    },
  );
  expect(shown.replaceAll("\r\u001b[2K", "")).not.toMatch(/(?!\n)\p{Cc}/u);
});

test("a pipe gets no progress, and the text of what is shown, once it has settled", () => {
  const program = `const l = live(); l.update(${view("progress")}); l.done(${view("final")});
show(${view("text")});
let n = 0;
show({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "n = " + n }), settled: async () => { n = 1; } });`;
  expect(outputOf(program, { terminal: false })).toBe("text\nn = 1\n");
});
