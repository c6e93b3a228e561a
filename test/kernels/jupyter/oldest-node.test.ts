import { beforeAll, expect, test } from "vitest";
import { OLDEST_NODE } from "../../../src/node-version.ts";
import { oldestNode } from "../../package/node-versions.ts";
import { connectDebugger } from "./debug-client.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session | undefined;

beforeAll(async () => {
  const node = await oldestNode();
  if (node) session = await openSession({ node });
}, 300_000);

test("the kernel runs cells on the oldest Node that is supported", async ({ skip }) => {
  skip(!session);
  const { run, interrupt } = session!;
  expect(textOf(await run("process.version"))).toBe(`v${OLDEST_NODE}.0`);
  expect(
    textOf(await run("import { readFileSync } from 'node:fs';\nlet kept: number = 1;\nawait [kept]")),
  ).toBe("[ 1 ]");
  expect(
    textOf(await run("enum Way { Up = 2 }\nclass Marked { accessor at = Way.Up }\nnew Marked().at")),
  ).toBe("2");
  expect(
    (
      await run(
        "console.log('out');\nrequire('node:child_process').execSync('echo child', { stdio: 'inherit' });\n0",
      )
    ).outputs,
  ).toMatchObject([{ text: "out\nchild\n" }, { output_type: "execute_result" }]);
  expect(errorOf(await run("const wrong: string = 1;")).evalue).toContain("not assignable");
  expect(errorOf(await run("\nnull!.x")).traceback).toContain("> 2 |");
  const { outputs } = await run("void Promise.reject(new Error('unheard'));\nundefined");
  expect(outputs).toMatchObject([{ name: "stderr", text: expect.stringContaining("unheard") }]);
  const spinning = run("for (;;) {}", ({ type }) => void (type === "execute_input" && interrupt()));
  expect((await spinning).reply).toMatchObject({ ename: "Interrupted" });
  expect(textOf(await run("kept"))).toBe("1");
});

test("the debugger stops, steps and shows variables there", async ({ skip }) => {
  skip(!session);
  const client = connectDebugger(session!);
  await client.ask("initialize", {});
  await client.ask("attach");
  const code =
    "const twice = (n: number): number => {\n  const result = n * 2;\n  return result;\n};\ntwice(21)";
  expect(await client.breakAt(code, 2)).toEqual([2]);
  const running = session!.run(code);
  await client.stopped();
  await client.ask("next");
  await client.stopped();
  expect((await client.stack())[0]).toBe("twice:3");
  expect((await client.variables()).Locals).toMatchObject({ n: "21", result: "42" });
  await client.ask("continue");
  expect(textOf(await running)).toBe("42");
});
