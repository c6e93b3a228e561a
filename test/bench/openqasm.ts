import { readFile } from "node:fs/promises";
import { compile } from "../../src/simulation/index.ts";
import { parse } from "../../src/simulation/openqasm/syntax/parse.ts";
import { loadOracle } from "../corpus/antlr-oracle.ts";
import { percentile, report } from "./measure.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[20] q;\nbit[20] c;\n';

/** Lines as tools write them: a gate, its numbers, its qubits. */
const plain = (i: number) =>
  [`h q[${i % 20}];`, `cx q[${i % 20}], q[${(i + 7) % 20}];`, `rz(${i}*pi/1000) q[${i % 20}];`][i % 3]!;

/** Lines that take the whole parser: modifiers, parentheses, computed indices. */
const rich = (i: number) =>
  [
    `h q[${i % 19} + 1];`,
    `ctrl @ x q[${i % 20}], q[${(i + 7) % 20}];`,
    `rz(-(${i} * pi) / 1000) q[${i % 20}];`,
  ][i % 3]!;

interface FrontEnd {
  readonly name: string;
  readonly most: number;
  run(data: string): unknown;
}

/** Times front ends on programs of 10^3 to 10^6 gates; those of other packages where they are installed. */
export async function benchOpenQasm(): Promise<void> {
  const ends: FrontEnd[] = [
    { name: "compile", most: 1e6, run: data => compile({ format: "qasm3", data }) },
    { name: "parse alone", most: 1e5, run: data => parse({ format: "qasm3", data }) },
    ...antlr(),
    ...(await qsharp()),
  ];
  for (const [kind, line] of Object.entries({ plain, rich })) {
    const rows = [["", "10^3", "10^4", "10^5", "10^6"]];
    const programs = [1e3, 1e4, 1e5, 1e6].map(count => ({
      count,
      data: HEAD + Array.from({ length: count }, (_, i) => line(i)).join("\n"),
    }));
    for (const { name, most, run } of ends) {
      const row = [name];
      for (const { count, data } of programs)
        row.push(count > most ? "–" : `${(await timed(run, data, count)).toFixed(1)} ms`);
      rows.push(row);
    }
    report(`OpenQASM, ${kind} lines`, rows);
  }
}

async function timed(run: FrontEnd["run"], data: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < (count > 1e3 ? 3 : 9); round++) {
    const start = performance.now();
    await run(data);
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
}

/** Returns the language's own grammar, which does nothing but read, where it is at hand. */
function antlr(): FrontEnd[] {
  const run = loadOracle();
  return run ? [{ name: "antlr4ng, parse alone", most: 1e4, run }] : [];
}

/** Returns qsharp-lang, which compiles and runs one shot, where it is installed. */
async function qsharp(): Promise<FrontEnd[]> {
  const name = "qsharp-lang";
  const found = await import(name).catch(() => null);
  if (!found) return [];
  const wasm = new URL("../lib/web/qsc_wasm_bg.wasm", import.meta.resolve(name));
  await found.loadWasmModule(new Uint8Array(await readFile(wasm)).buffer);
  const compiler = await found.getCompiler();
  const run = (data: string) => {
    const guarded = `${data.replace("bit[20] c;", "bit[20] c; if (c[0]) {")} }`;
    const program = {
      sources: [["program.qasm", guarded]],
      languageFeatures: [],
      projectType: "openqasm",
      profile: "unrestricted",
    };
    return compiler.run(program, "", 1, new found.QscEventTarget(false));
  };
  return [{ name: `${name}, nothing run`, most: 1e4, run }];
}
