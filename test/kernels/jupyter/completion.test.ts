import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { newFolder } from "../../notebook-run/support.ts";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "local.ts"), "export const answer = 42;");
  writeFileSync(join(folder, "table one.csv"), "a,b");
  session = await openSession({ folder });
  await session.run(`import { device, qasm, run } from "ketbook";
/** The rows of a table. */
const rows = [1], Rowing = 1;
class Rower {}
/** Doubles a number. */
function double(value: number, times = 1) { return value * 2 * times }
const program = qasm\`OPENQASM 3.0; qubit q;\`;`);
});

/** Asks for completions at the `|` of a cell. Returns them with the text that they replace, and their kinds. */
async function complete(cell: string) {
  const at = cell.indexOf("|");
  const code = cell.replace("|", "");
  const reply = await session.ask("complete_request", { code, cursor_pos: at });
  const metadata = reply.metadata as { _jupyter_types_experimental: { text: string; type: string }[] };
  return {
    matches: reply.matches as string[],
    replaced: code.slice(reply.cursor_start as number, reply.cursor_end as number),
    types: Object.fromEntries(metadata._jupyter_types_experimental.map(({ text, type }) => [text, type])),
  };
}

async function inspect(cell: string): Promise<string | undefined> {
  const content = { code: cell.replace("|", ""), cursor_pos: cell.indexOf("|"), detail_level: 0 };
  const { found, data } = await session.ask("inspect_request", content);
  return found ? (data as Record<string, string>)["text/markdown"] : undefined;
}

const DEVICES = Array.from(loadCatalogue().keys(), qrn => qrn.replace(/^.*:/, "")).sort();

test.each([
  ["run(program).on('|')", "", DEVICES],
  ["run(program).on('per|').shots(3)", "per", ["perth"]],
  ['device("sta|")', "sta", ["stabilizer", "statevector", "statevector-v1"]],
  ["import { answer } from './lo|'", "lo", ["local"]],
  ["import { readFileSync } from 'node:fs'; readFileSync('./|')", "", ["data", "local.ts", "table one.csv"]],
  ["import { readFileSync } from 'node:fs'; readFileSync('tab|')", "tab", ["table one.csv"]],
  ["const at = './da|'", "da", ["data"]],
  ["import fs from 'node:fs/pro|'", "pro", ["promises"]],
  ["import fs from 'ketb|'", "ketb", ["ketbook", "ketbook/client", "ketbook/course"]],
  [
    "import { exercise| } from 'ketbook/course'",
    "exercise",
    ["exercise", "Exercise", "ExerciseCheck", "ExerciseOptions"],
  ],
  ["import { cancel| } from 'ketbook/client'", "cancel", ["cancelJob", "CancelOptions"]],
  ["require('node:fs').readFileS|", "readFileS", ["readFileSync"]],
  ["require('node:path').join('a').char|", "char", ["charAt", "charCodeAt"]],
  ["import { an| } from './local'", "an", ["answer"]],
  ["Row|", "Row", ["Rower", "Rowing", "rows"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
  ["`${Rower|}`", "Rower", ["Rower"]],
  ["// row|", "", []],
  ["/* row|", "", []],
  ["const text = 'row|'", "row", []],
])("%s offers what fits in the place of %j", async (cell, replaced, matches) => {
  expect(await complete(cell)).toMatchObject({ replaced, matches });
});

test("names of earlier cells come with what they are, and names of packages are there", async () => {
  expect((await complete("Row|")).types).toMatchObject({ Rower: "class", rows: "variable" });
  expect((await complete("doub|")).types).toEqual({ double: "function" });
  expect((await complete("import x from '|'")).matches).toEqual(
    expect.arrayContaining(["node:fs", "ketbook"]),
  );
});

const PROGRAM =
  'OPENQASM 3.0;\ninclude "stdgates.inc";\ngate mine(angle) a { rx(angle) a; }\nqubit[2] reg;\nbit[2] made;\n';

test.each([
  [`${PROGRAM}m|`, ["mine", "made", "mod", "measure", "mutable"]],
  [`${PROGRAM}h re|`, ["reg", "real", "readonly", "reset", "return"]],
  [`${PROGRAM}rz|`, ["rz", "rzz"]],
  ["OPENQASM 2.0;\nq|", ["qreg"]],
  ['OPENQASM 3.0;\ninclude "|', ["stdgates.inc", "qelib1.inc"]],
  ["OPENQASM 3.0;\n// h|", []],
  ["const p = qasm`qubit[2] reg; h re|`;", ["reg", "real", "readonly", "reset", "return"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
  ["const p = qasm`rx(${Rower|}) q;`;", ["Rower"]],
])("%j offers the names of OpenQASM", async (cell, matches) => {
  expect((await complete(cell)).matches).toEqual(matches);
});

test("the kinds of OpenQASM's names are said", async () => {
  expect((await complete(`${PROGRAM}m|`)).types).toMatchObject({
    mine: "gate",
    made: "register",
    measure: "keyword",
  });
});

test.each([
  [`${PROGRAM}c|x reg[0], reg[1];`, /gate cx a, b[\s\S]*Controlled X/],
  [`${PROGRAM}mi|ne(1) reg[0];`, /gate mine\(angle\) a[\s\S]*of this program/],
  [`${PROGRAM}h re|g[0];`, /qubit\[2\] reg[\s\S]*register of 2 qubits/],
  ["const p = qasm`s|wap q[0], q[1];`;", /Exchanges two qubits/],
  ["double(ro|ws.length)", /const rows: number\[\][\s\S]*Parameter: \*\*value: number\*\*/],
  ["rows|", /const rows: number\[\][\s\S]*The rows of a table/],
  ["double(1, |)", /Parameter: \*\*times\?: number\*\*[\s\S]*Doubles a number/],
])("inspecting %j says what is there", async (cell, said) => {
  expect(await inspect(cell)).toMatch(said);
});

test.each(["nowhere|", "let a = noSuch| + 1", `${PROGRAM}bog|us;`, "|"])(
  "of %j nothing is found",
  async cell => {
    expect(await inspect(cell)).toBeUndefined();
  },
);
