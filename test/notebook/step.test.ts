import { expect, test } from "vitest";
import { KetbookError, qasm, step } from "../../src/index.ts";
import { specificationCheck } from "../charts/schema.ts";
import { HEAD } from "../simulation/run.ts";

const isSpecification = specificationCheck();

const teleport = qasm`${HEAD}qubit[3] q; bit[2] m; int n = 0;
ry(0.6) q[0];
h q[1];
cx q[1], q[2];
negctrl @ x q[0], q[1];
swap q[0], q[1];
m[0] = measure q[0];
if (m[0]) { x q[2]; n += 1; }
reset q[1];`;

/** The rows of a specification's views that stand for one step. */
function rowsOfStep(spec: object, wanted: number): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  JSON.stringify(spec, (_, value) => {
    if (Array.isArray(value)) rows.push(...value.filter(row => row?.step === wanted));
    return value;
  });
  return rows;
}

/** The sliders of a wide stepper. */
function slidersOf(spec: { readonly [member: string]: unknown }): object[] {
  const sliders: object[] = [];
  JSON.stringify(spec.vconcat, (name, value) => {
    if (name === "params" && value[0]?.name === "slider") sliders.push(...value);
    return value;
  });
  return sliders;
}

test("a stepper is Vega-Lite with a slider over the steps, and has what the trace has", () => {
  const trace = teleport.trace({ outcomes: [1] });
  const chart = step(teleport, { outcomes: [1] });
  expect(isSpecification(chart.spec)).toBe(true);
  expect(slidersOf(chart.spec)).toMatchObject([
    { value: [{ step: 1 }], bind: { step: { input: "range", min: 0, max: 8 } } },
  ]);
  expect(JSON.stringify(chart.spec)).toContain("[0,4,5,6,7,8,9,10,11][");
  for (const { step: at, state, instruction } of trace) {
    const rows = rowsOfStep(chart.spec, at);
    expect(
      rows.some(row => row.memory !== undefined && String(row.instruction).startsWith(instruction)),
    ).toBe(true);
    const bars = rows.filter(({ probability }) => probability !== undefined);
    for (const { outcome, probability } of bars)
      expect(probability).toBeCloseTo(state!.probability(String(outcome).slice(1, -1)), 4);
    expect(bars.reduce((sum, { probability }) => sum + Number(probability), 0)).toBeCloseTo(1, 3);
    for (const { qubit, text } of rows.filter(({ cx }) => cx !== undefined)) {
      const { z } = state!.blochVector(Number(String(qubit).slice(2, -1)));
      expect(Number(String(text).split(", ")[2]!.replace("−", "-").slice(0, -1))).toBeCloseTo(z, 2);
    }
  }
});

test("it stands still at a step of one's choice, in pictures and as text", () => {
  const chart = step(teleport, { outcomes: [1], step: 3, title: "Teleportation" });
  expect(chart.toSVG()).toMatch(/>Step 3 of 8<[\s\S]*>cx q\[1\], q\[2\]</);
  expect(step(teleport, { outcomes: [1] }).toSVG()).toContain(">Step 1 of 8<");
  expect(step(teleport, { outcomes: [1], step: 0 }).toSVG()).toContain(">Start<");
  expect(step(teleport, { outcomes: [1], step: 8 }).toSVG()).toContain("m = 01 · n = 1");
  expect(chart.toText(100)).toMatch(/6 {2}m\[0\] = measure q\[0\] +m = 01 · n = 0/);
  expect(chart.toCSV()).toContain("instruction");
});

test("its circuit has the shapes and colours of a drawn one, a column for each step around the current one", () => {
  const outlines = (svg: string) =>
    new Set(
      Array.from(svg.matchAll(/<path [^>]*>/g), ([path]) =>
        ["fill", "stroke"].map(name => new RegExp(` ${name}="([^"]*)"`).exec(path)?.[1] ?? "none").join(" "),
      ),
    );
  const program = qasm`${HEAD}qubit[2] q; bit c; rz(pi/8) q[0]; ctrl @ x q[0], q[1]; swap q[0], q[1]; c = measure q[1];`;
  const stepped = step(program, { step: 4 }).toSVG();
  for (const label of [">R<", ">z<", ">π/8<", ">q<", ">[0]<", ">c<"]) expect(stepped).toContain(label);
  expect([...outlines(program.draw().toSVG())].length).toBeGreaterThan(5);
  for (const outline of outlines(program.draw().toSVG().replaceAll("#57606a", "#868e96")))
    expect(outlines(stepped)).toContain(outline);
  const long = step(qasm`${HEAD}qubit q; for int i in [1:60] { rx(i) q; }`, { step: 30 }).toSVG();
  expect(long).toContain(">30<");
  expect(long).not.toContain(">50<");
});

test("for narrow pages it has the same data with its parts below each other", () => {
  const { spec } = step(teleport, { outcomes: [1] });
  const { narrow } = spec.usermeta as { narrow: { vconcat: { width: number; height: number }[] } };
  expect(isSpecification({ ...spec, ...narrow })).toBe(true);
  expect(narrow.vconcat).toHaveLength(5);
  for (const { width } of narrow.vconcat) expect(width).toBeLessThanOrEqual(344);
});

test("more than ten qubits are shown without their state", () => {
  const wide = step(qasm`${HEAD}qubit[12] q; h q;`);
  expect(isSpecification(wide.spec)).toBe(true);
  expect(JSON.stringify(wide.spec)).not.toContain("probability");
});

test("what is drawn of the state is chosen", () => {
  const drawn = (state: "amplitudes" | "bloch" | "none") => JSON.stringify(step(teleport, { state }).spec);
  expect(drawn("bloch")).not.toContain("probability");
  expect(drawn("amplitudes")).not.toContain('cx":');
  expect(drawn("none").length).toBeLessThan(drawn("bloch").length);
});

test("what cannot be shown says why", () => {
  expect(() => step(teleport, { step: 99 })).toThrow(/There is no step 99: the execution has the steps 0 to/);
  expect(() => step("OPENQASM 3.0; qubit q; nothing q;")).toThrow(KetbookError);
  expect(() => step(teleport, { shots: 3 } as object)).toThrow(/shots/);
  expect(() => step(teleport, { outcome: [1] } as object)).toThrow('Did you mean "outcomes"?');
});
