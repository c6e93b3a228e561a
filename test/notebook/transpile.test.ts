import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { qasm, type TranspileTarget, transpile } from "../../src/index.ts";

const CATALOGUE = new URL("../../src/service/catalogue/", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CATALOGUE), "utf8"));
const perth: TranspileTarget = {
  name: "Perth",
  topology: read("topologies.json")["ibm:emulated:qpu:perth"],
  calibration: read("calibrations/perth.json"),
};

const star = qasm`OPENQASM 3.0;
include "stdgates.inc";
qubit[4] q; bit[4] c;
h q[0]; cx q[0], q[1]; cx q[0], q[2]; cx q[0], q[3];
c = measure q;`;

test("a transpiled program has its layout, depth, two-qubit gates, duration and expected fidelity", async () => {
  const { initialLayout, depth, twoQubitGates, duration, expectedFidelity } = await transpile(star, perth, {
    optimizationLevel: 3,
  });
  expect(initialLayout).toHaveLength(4);
  expect(twoQubitGates).toBe(3);
  expect(depth).toBeGreaterThanOrEqual(5);
  expect(duration).toBeGreaterThan(1500);
  expect(expectedFidelity).toBeGreaterThan(0.8);
  expect(expectedFidelity).toBeLessThan(0.95);
});

test("the transpiled program is a program of physical qubits, and is transpiled no further", async () => {
  const { program } = await transpile(star, perth);
  const again = await transpile(program, perth);
  expect(program.data).toMatch(/cx \$\d, \$\d;/);
  expect(again.twoQubitGates).toBe((await transpile(star, perth)).twoQubitGates);
});

test("a transpiled program shows its circuit before and after, and the layout on the map", async () => {
  const shown = await transpile(star, perth);
  const html = shown.toHTML();
  expect(html).toContain("Circuit, Before");
  expect(html).toContain("Circuit, After");
  expect(html).toContain("Layout on the device");
  expect(html).toContain("Expected fidelity");
});

test("a device without a calibration gives no fidelity and no duration", async () => {
  const { topology } = perth;
  const { expectedFidelity, duration, twoQubitGates } = await transpile(star, { topology });
  expect([expectedFidelity, duration]).toEqual([null, null]);
  expect(twoQubitGates).toBeGreaterThan(0);
});

test.each([
  ["cx $0, $6;", perth, {}, "transpile: 3:1: cx $0, $6: the device does not couple these qubits."],
  ["h $0", perth, {}, "transpile: 3:"],
  ["qubit[9] q; h q;", perth, {}, "transpile: The program acts on 9 qubits; the device has 7."],
  [
    "qubit q;",
    { topology: { type: "torus" } },
    {},
    "transpile: Device does not say how its qubits are connected",
  ],
])("%s is refused in words", async (body, target, options, message) => {
  const data = `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}`;
  await expect(async () => transpile(data, target, options)).rejects.toThrow(message);
});

test("options are checked by name", () => {
  expect(() => transpile(star, perth, { optimizationLevel: 4 as never })).toThrow("0, 1, 2 or 3");
});
