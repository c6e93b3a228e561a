import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  compile,
  type Diagnostic,
  formatDiagnostics,
  ProgramError,
  printCompiled,
  simulate,
} from "../../src/simulation/index.ts";

function filesOf(folder: string): [string, string][] {
  const url = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(url).map(file => [file, readFileSync(new URL(file, url), "utf8")]);
}

const programOf = (file: string, data: string) =>
  ({ format: file.startsWith("version-2") ? "qasm2" : "qasm3", data }) as const;

describe("valid programs", () => {
  test.each(filesOf("valid"))("%s gives what it says", (file, data) => {
    const expected = / gives (.*)\n$/.exec(data)![1]!;
    const circuit = compile(programOf(file, data));
    expect(simulate(circuit, { shots: 20, seed: 3 }).measurementCounts).toEqual({ [expected]: 20 });
  });

  test.each(filesOf("valid"))("%s does the same once compiled", (file, data) => {
    const text = printCompiled(compile(programOf(file, data)), { method: "statevector" });
    const expected = / gives (.*)\n$/.exec(data)![1]!;
    const { measurementCounts } = simulate(compile({ format: "qasm3", data: text }), { shots: 5, seed: 3 });
    expect(measurementCounts).toEqual({ [expected]: 5 });
  });
});

describe("invalid programs", () => {
  test.each(filesOf("invalid"))("%s is refused for what it says, and for nothing else", (_, data) => {
    const expected = [...data.matchAll(/^\/\/ refused at (\S+) (.*)$/gm)].map(([, place, part]) => [
      place!,
      part!,
    ]);
    let found: readonly Diagnostic[] = [];
    try {
      compile({ format: "qasm3", data });
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      found = error.diagnostics;
    }
    expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(expected.map(([place]) => place));
    found.forEach(({ message, hint }, i) => {
      expect(`${message} ${hint ?? ""}`).toContain(expected[i]![1]);
    });
    expect(formatDiagnostics(data, found).match(/\^/g)!.length).toBeGreaterThanOrEqual(found.length);
  });
});
