import { expect, test } from "vitest";
import { checks, exercise } from "../../src/course.ts";
import { estimate, jobs, KetbookError, noise, program, qasm, run, step, sweep } from "../../src/index.ts";
import { useOwnService } from "./own-service.ts";

useOwnService();

const bell = program({ qubits: 2, bits: 2 }, q => q.h(0).cx(0, 1).measureAll());
const turn = program({ qubits: 1, inputs: ["a"] }, q => q.rx("a", 0));
const counted = qasm`OPENQASM 3.0; input uint[2] n; qubit q; if (n == 1) { U(0, 0, 0) q; }`;
const wrong = undefined as never;

test.each<[string, () => unknown, string]>([
  ["no program to compare with", () => bell.equals(wrong), "undefined is not a program. Give OpenQASM text"],
  ["no program to sweep", () => sweep(null as never, { a: [1] }), "null is not a program"],
  ["no program to estimate", () => estimate(null as never, "Z"), "null is not a program"],
  ["no program to step through", () => step(wrong), "undefined is not a program"],
  ["an empty program", () => run(""), "An empty string is not a program"],
  ["inputs without values", () => run(turn).inputs(wrong), "inputs(undefined): give values by name"],
  [
    "a number that is no input",
    () =>
      run(turn)
        .inputs({ a: 10n as never })
        .shots(1),
    "needs a finite number",
  ],
  [
    "a number that an integer can't hold",
    () => run(counted).inputs({ n: 4 }),
    "4 does not fit into n, which is of type uint[2]",
  ],
  ["a list of observables", () => run(bell).observables(["ZZ"] as never), "Give each as an argument"],
  [
    "a device and noise",
    () => step(bell, { device: "perth", noise: noise({}) }),
    "step: give device, whose noise is drawn, or noise",
  ],
  [
    "a summary of some jobs",
    () => jobs({ status: "FAILED" }).summary(),
    "jobs(…).summary() is of all your jobs",
  ],
  ["a check of no checks", () => checks.all(3 as never), "checks.all: give checks"],
  [
    "a test that is none",
    () => checks.custom("x", undefined as never),
    "checks.custom: give a title and a function",
  ],
  [
    "a check of an unknown gate",
    () => checks.gates(["hh"]),
    'checks.gates: there is no gate "hh". Did you mean h?',
  ],
  [
    "a misspelt option of an exercise",
    () => exercise("e", { statement: "s", check: checks.number(1), hint: [] } as never),
    'Did you mean "hints"?',
  ],
  [
    "noise of two qubits after gates on one",
    () => noise({ oneQubit: [{ bitFlip: 0.2 }, { pauli: { XX: 0.1 } }] }),
    "noise: oneQubit[1] acts on two qubits, and the rule is for gates on one",
  ],
  [
    "noise of two qubits after a gate on one",
    () => noise({ gates: [{ gates: "x", channels: { pauli: { XX: 0.1 } } }] }),
    "acts on two qubits",
  ],
  ["a sum that ends in an operator", () => run(bell).observables("2*"), "2*"],
  ["a check of no number", () => checks.number("x" as never), 'checks.number("x"): give the right number'],
])("%s is refused, with what to do", async (_, call, words) => {
  const error = await new Promise<unknown>(resolve => resolve(call())).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KetbookError);
  expect((error as Error).message).toContain(words);
});
