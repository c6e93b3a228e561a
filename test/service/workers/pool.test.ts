import { expect, test } from "vitest";
import { TIERS } from "../../../src/service/accounts/caller.ts";
import { openPool } from "../../../src/service/node/threads.ts";

const task = {
  device: { qrn: "svc:svc:sim:statevector", engine: "statevector" as const, numberQubits: 30 },
  others: [],
  noise: null,
  compileOptions: {},
  shots: 300_000,
  seed: 1,
  memory: true,
  statevector: false,
  observables: [],
  precision: undefined,
  maxBondDimension: undefined,
  overhead: { perTask: 0, perShot: 0 },
  target: null,
  limits: TIERS.local!.job,
};

const superposition = (qubits: number) => ({
  format: "qasm3" as const,
  data: `OPENQASM 3.0; include "stdgates.inc"; qubit[${qubits}] q; bit[${qubits}] c; h q; c = measure q; int n = 1;`,
});

test("a run that needs more than its thread's heap fails alone, for memory; others run on, and next ones run", async () => {
  const pool = openPool(2, { maxOldGenerationSizeMb: 40 });
  const run = (qubits: number) => pool.run({ ...task, programs: [superposition(qubits)] }, () => {}).outcome;
  try {
    const [large, small] = await Promise.all([run(20), run(2)]);
    expect(large).toMatchObject({ kind: "failed", limit: "memory" });
    expect(large).toHaveProperty("message", "The machine lacks the memory for this program.");
    expect(small).toMatchObject({ kind: "completed" });
    expect((await run(2)).kind).toBe("completed");
  } finally {
    await pool.close();
  }
});
