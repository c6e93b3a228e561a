import { expect, test } from "vitest";
import { run } from "../../src/index.ts";
import { plainText } from "../../src/kernels/bundle.ts";
import { useServiceHere } from "./own-service.ts";

await useServiceHere();

test("a program in Braket's dialect that measures nothing runs, and its chart says how it was read", async () => {
  const result = await run("OPENQASM 3.0;\nqubit[2] q;\nh q[0];\ncnot q[0], q[1];").shots(100);
  expect(Object.keys(result.counts).sort()).toEqual(["00", "11"]);
  expect(result.bitOrder.order).toBe("msb-first");
  expect(plainText(result)).toContain("No include: the gates are Braket's.");
  expect(plainText(result)).toContain("No variables: all qubits are measured.");
});

test("zeros that are measured so are not said to be unmeasured", async () => {
  const text = plainText(await run("OPENQASM 3.0;\nqubit[2] q;\nz q[0];").shots(10));
  expect(text).not.toMatch(/measures no/);
});

test("a pragma of Braket that would be dropped is refused before the job is submitted", async () => {
  const program = "OPENQASM 3.0;\nqubit q;\nx q;\n#pragma braket noise bit_flip(0.1) q";
  await expect(run(program).shots(10)).rejects.toThrow(/4:1: .*noiseModel/);
});
