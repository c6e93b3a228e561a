import { beforeAll, expect, test } from "vitest";
import { useOwnData } from "../../notebook/own-data.ts";
import { errorOf, markupOf, openSession, type Session, textOf } from "./session.ts";

useOwnData();
let session: Session;

const isError = ({ output_type }: { output_type: string }) => output_type === "error";

const bell = `OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
cx q[0], q[1];
c = measure q;`;

beforeAll(async () => {
  session = await openSession({ preload: true });
});

test("with --preload the library is there without an import, with types and completion", async () => {
  expect(textOf(await session.run("[typeof run, typeof qasm, typeof devices]"))).toBe(
    "[ 'function', 'function', 'function' ]",
  );
  expect(errorOf(await session.run("run(5)")).evalue).toMatch(/^line 1:5 - No overload matches this call/);
  const completed = await session.ask("complete_request", { code: "run('').sho", cursor_pos: 11 });
  expect(completed.matches).toContain("shots");
  expect((await session.run("const run = 1;\nrun")).reply.status).toBe("ok");
  expect((await session.run('import { run } from "ketbook";')).reply.status).toBe("ok");
});

test("a cell that begins with OPENQASM draws its circuit and binds the program for the next cells", async () => {
  const drawn = await session.run(bell);
  expect(markupOf(drawn)).toMatch(/<svg|data:image\/svg/);
  expect(textOf(drawn)).toMatch(/q\[0\].*H/s);
  const result = await session.run(
    "const counts = (await run(program).shots(20)).counts;\nObject.values(counts).reduce((a, b) => a + b)",
  );
  expect(textOf(result), JSON.stringify(result.outputs)).toBe("20");
});

test("what is shown in the middle of a cell of a preloaded library is as rich as its value", async () => {
  const { outputs } = await session.run("(await run(program).shots(20)).show();\nconsole.log('after')");
  expect(outputs).toMatchObject([
    {
      output_type: "display_data",
      data: { "image/png": expect.any(String), "text/plain": expect.any(String) },
    },
    { name: "stdout", text: "after\n" },
  ]);
});

test("values whose types have no name can be kept, and imported as a whole", async () => {
  const cells = ['const library = await import("ketbook");', "const again = library.run(program);", "again"];
  for (const cell of cells) expect((await session.run(cell)).outputs.filter(isError), cell).toEqual([]);
});

test("a line // name: gives the program its name, with its type", async () => {
  await session.run(`// name: pair\n/* two qubits */\n${bell.replaceAll("\\", "")} // \`\${x}\``);
  expect(textOf(await session.run("pair.data.split('\\n').length"))).toBe("10");
  const completed = await session.ask("complete_request", { code: "pair.form", cursor_pos: 9 });
  expect(completed.matches).toEqual(["format"]);
  expect(errorOf(await session.run("const wrong: number = pair;")).evalue).toContain("QasmProgram");
});

test("an OpenQASM 2 program is one too", async () => {
  await session.run('// name: old\nOPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\nh q[0];');
  expect(textOf(await session.run("old.format"))).toBe("qasm2");
});

test("mistakes are shown under the lines that are wrong, and bind nothing", async () => {
  const broken = bell.replace("h q[0]", "hh q[0]").replace("q[0], q[1]", "q[0] q[1]");
  const { ename, evalue, traceback } = errorOf(await session.run(`// name: broken\n${broken}`));
  expect(ename).toBe("ProgramError");
  expect(evalue).toMatch(/^6:1: .*hh.* \(and 1 more\)$/);
  expect(traceback).toMatch(/> 6 \| hh q\[0\];\n {4}\| \^\^\n {4}\| .*hh.*\n/);
  expect(traceback).toMatch(/> 7 \| cx q\[0\] q\[1\];\n {4}\| +\^\n {4}\| +.*comma/);
  expect(errorOf(await session.run("broken")).evalue).toContain("Cannot find name 'broken'");
});

test.each(["2bell", "class", "a-b", "x=1;y"])("the name %s is refused", async name => {
  expect(errorOf(await session.run(`// name: ${name}\n${bell}`)).evalue).toMatch(/can't name a variable/);
});

test("TypeScript that speaks of OPENQASM stays TypeScript", async () => {
  expect(textOf(await session.run('const text = "OPENQASM 3.0;";\ntext'))).toBe("OPENQASM 3.0;");
});
