import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  describeValue,
  flag,
  must,
  oneOf,
  type RecordedProgram,
  stringValue,
  wholeNumber,
} from "../../contract/index.ts";
import type { Distribution } from "../../results/index.ts";
import { executeBranches, orthonormalized } from "../../simulation/index.ts";
import { QasmProgram } from "../programs/program.ts";
import { readMatrix } from "../results/density-matrix.ts";
import { type ComplexNumber, type GivenAmplitudes, readAmplitudes, State } from "../results/state.ts";
import { checkHelperOptions } from "../values/options.ts";
import { type Columns, splitOutputs } from "./compare-outputs.ts";
import { type DistributionCheckOptions, distributionCheck, leastTolerance } from "./distribution-check.ts";
import {
  compileAnswer,
  ExerciseCheck,
  openSeal,
  plainAmplitudes,
  type ShownFinding,
} from "./exercise-check.ts";
import { type OutputCheckOptions, outputCheck } from "./output-check.ts";
import { type GateRules, gateCheck, type ResourceLimits, resourceCheck } from "./resource-checks.ts";
import { selectionChecks } from "./select-qubits.ts";

/** Options for comparing a unitary. */
export interface UnitaryCheckOptions extends OutputCheckOptions {
  /**
   * Accepted orders of the qubits: as asked for, any in which inputs and outputs agree, or any of only the outputs, as of
   * a Fourier transform without its swaps. Up to 6 qubits. Default: `"exact"`.
   */
  qubitOrder?: "exact" | "any" | "any-output";
}

/** Options for comparing a state. */
export interface StateCheckOptions extends OutputCheckOptions {
  /** Whether the qubits may be in another order, of up to 6. Default: `"exact"`. */
  qubitOrder?: "exact" | "any";
}

/** Options for comparing a number. */
export interface NumberCheckOptions {
  /** Largest difference that passes. Default: one part in 10^6 of the number; of 0, 10^-9. */
  within?: number;
  /** Name of the number in an answer, such as `T1`. Default: `The number`. */
  name?: string;
}

const tolerance = must("a number above 0, up to 0.1", value => Number(value) > 0 && Number(value) <= 0.1);
const outputChecks = {
  ...selectionChecks,
  tolerance,
  othersEnd: oneOf("zero", "any"),
  globalPhase: oneOf("ignored", "exact"),
  finalMeasurements: oneOf("count", "ignored"),
};

/**
 * The properties that the answer to an exercise must have, for the `check` of `exercise`. A list of them is all of them.
 *
 * @example
 * ```ts
 * import { checks, exercise } from "ketbook/course";
 * exercise("bell-pair", {
 *   statement: "Prepare (|00⟩ + |11⟩)/√2 with no more than one two-qubit gate.",
 *   check: [checks.state({ "00": 0.7071, "11": 0.7071 }), checks.resources({ twoQubitGates: 1 })],
 *   hints: ["Begin with a qubit in superposition."],
 * });
 * ```
 */
export const checks = {
  /**
   * Does the same to every input as a program or a matrix, whose rows and columns are numbered with the first qubit as the
   * lowest bit. Measurements and resets pass only where they leave no trace.
   *
   * @throws KetbookError for anything but a unitary, and for more than 8 qubits.
   */
  unitary(
    target: string | RecordedProgram | readonly (readonly ComplexNumber[])[],
    options: UnitaryCheckOptions = {},
  ): ExerciseCheck {
    const { qubitOrder = "exact", ...others } = options;
    const orders = oneOf("exact", "any", "any-output");
    checkHelperOptions("checks.unitary", options, { ...outputChecks, qubitOrder: orders });
    const columns = rethrowAsKetbookError("checks.unitary", () =>
      Array.isArray(target) ? columnsOfRows(target) : columnsOfProgram(target as RecordedProgram, true),
    );
    const plain = columns.map(plainAmplitudes);
    const rows = plain.map((_, row) => plain.map(column => column[row]!));
    const wanted = { title: "Unitary", columns, isUnitary: true, order: qubitOrder };
    return outputCheck(wanted, others, ["unitary", rows, options]);
  },

  /**
   * Prepares a state from |0…0⟩, in every branch of its measurements. A qubit that is measured at the end is no longer in
   * superposition, unless `finalMeasurements: "ignored"` looks at the state before.
   *
   * @throws KetbookError for anything but a state.
   */
  state(
    target: State | GivenAmplitudes | string | RecordedProgram,
    options: StateCheckOptions = {},
  ): ExerciseCheck {
    const { qubitOrder = "exact", ...others } = options;
    checkHelperOptions("checks.state", options, { ...outputChecks, qubitOrder: oneOf("exact", "any") });
    const columns = rethrowAsKetbookError("checks.state", () => {
      if (target instanceof State) return [target.amplitudes];
      return typeof target === "string" || target instanceof QasmProgram
        ? columnsOfProgram(target, false)
        : [readAmplitudes(target as GivenAmplitudes)];
    });
    const wanted = { title: "State", columns, isUnitary: false, order: qubitOrder };
    return outputCheck(wanted, others, ["state", plainAmplitudes(columns[0]!), options]);
  },

  /**
   * Measures these outcomes with these probabilities, which sum to 1; outcomes that are left out have none. Bits count that
   * measurements have written last. Another state may have the same outcomes: `state` tells them apart.
   *
   * @throws KetbookError for anything but a distribution, and for a tolerance that samples can't resolve.
   */
  distribution(wanted: Distribution, options: DistributionCheckOptions = {}): ExerciseCheck {
    const called = "checks.distribution";
    checkHelperOptions(called, options, {
      registers: must('a list such as ["c"]', Array.isArray),
      ...{ allowComputedBits: flag, tolerance, sampled: flag, seed: wholeNumber(0) },
    });
    const { probabilities, rounding } = readDistribution(wanted);
    const least = leastTolerance(Object.keys(probabilities).length);
    if (options.sampled && options.tolerance !== undefined && options.tolerance < least)
      throw new KetbookError(
        `${called}: samples only resolve distances above ${least.toPrecision(2)}. Give a larger tolerance.`,
      );
    const exact = options.tolerance ?? Math.max(1e-4, rounding);
    const sampled = Math.max(options.tolerance ?? 0.02, least, rounding);
    return distributionCheck(probabilities, options, exact, sampled, ["distribution", wanted, options]);
  },

  /**
   * Takes no more than these resources, in the branch that takes the most.
   *
   * @throws KetbookError for an invalid limit.
   */
  resources: (limits: ResourceLimits): ExerciseCheck => resourceCheck(limits),

  /**
   * Executes only gates that are allowed, in definitions and loops too, none that is forbidden, and none that connects
   * qubits which are to stay apart.
   *
   * @throws KetbookError for invalid rules.
   */
  gates: (rules: GateRules | readonly string[]): ExerciseCheck =>
    gateCheck(Array.isArray(rules) ? { allowed: rules } : (rules as GateRules)),

  /**
   * Is a number, give or take a difference.
   *
   * @throws KetbookError for invalid options.
   */
  number(wanted: number, options: NumberCheckOptions = {}): ExerciseCheck {
    checkHelperOptions("checks.number", options, {
      within: must("a number, 0 or more", value => typeof value === "number" && value >= 0),
      name: stringValue,
    });
    if (!Number.isFinite(wanted))
      throw new KetbookError(`checks.number(${describeValue(wanted)}): give the right number, such as 12.5.`);
    const { within = Math.abs(wanted) * 1e-6 || 1e-9, name = "The number" } = options;
    // 3.3 - 3.2 is a little more than 0.1.
    const reach = within + 4 * Number.EPSILON * (Math.abs(wanted) + within);
    const judge = (answer: unknown) => {
      const isNumber = typeof answer === "number" && Number.isFinite(answer);
      const passed = isNumber && Math.abs(answer - wanted) <= reach;
      const direction = Number(answer) > wanted ? "large" : "small";
      const message = passed
        ? `${name} is right.`
        : isNumber
          ? `${name} is too ${direction}.`
          : typeof answer === "number"
            ? `${name} is ${answer}.`
            : `This exercise takes a number, such as 12.5, and the answer is of the type ${typeof answer}.`;
      return [{ title: "Number", passed, message }];
    };
    return new ExerciseCheck("Number", judge, ["number", wanted, options]);
  },

  /**
   * Requires what a sealed check does, whose target cannot be read in the notebook.
   *
   * @example
   * ```ts
   * import { checks } from "ketbook/course";
   * const sealed = checks.number(42).seal();
   * checks.sealed(sealed);
   * ```
   *
   * @throws KetbookError for text that `seal` did not make.
   */
  sealed(text: string): ExerciseCheck {
    const [name, ...args] = openSeal(String(text));
    return (checks[name] as (...args: unknown[]) => ExerciseCheck)(...args);
  },

  /** Has all of these properties. Where one is missing, the others are looked at too. */
  all(...members: readonly ExerciseCheck[]): ExerciseCheck {
    requireChecks("all", members);
    return new ExerciseCheck("All", async answer =>
      (await Promise.all(members.map(({ evaluate }) => evaluate(answer)))).flat(),
    );
  },

  /** Has one of these properties at least. Where none is there, the first one is explained. */
  any(...members: readonly ExerciseCheck[]): ExerciseCheck {
    requireChecks("any", members);
    return new ExerciseCheck("One of several", async answer => {
      let first: ShownFinding[] = [];
      let failure: unknown;
      for (const { evaluate } of members)
        try {
          const findings = await evaluate(answer);
          if (findings.every(({ passed }) => passed)) return findings;
          if (first.length === 0) first = findings;
        } catch (error) {
          // An answer of another kind, such as a number for a program.
          if (!(error instanceof KetbookError)) throw error;
          failure ??= error;
        }
      if (first.length === 0 && failure) throw failure;
      return first;
    });
  },

  /**
   * Passes a custom test, which returns true, or a sentence that says what is wrong.
   *
   * @example
   * ```ts
   * import { checks } from "ketbook/course";
   * checks.custom("Comment", answer => String(answer).includes("//") || "Say in a comment what the program does.");
   * ```
   */
  custom(title: string, test: (answer: unknown) => true | string | Promise<true | string>): ExerciseCheck {
    if (typeof test !== "function")
      throw new KetbookError("checks.custom: give a title and a function of the answer.");
    return new ExerciseCheck(title, async answer => {
      // A grade has programs as plain records.
      const isRecord = typeof Object(answer).data === "string";
      const found = await test(isRecord ? QasmProgram.of(answer as RecordedProgram) : answer);
      return [
        { title, passed: found === true, message: found === true ? "It is as it should be." : String(found) },
      ];
    });
  },
};

function requireChecks(name: string, members: readonly unknown[]): void {
  if (members.length === 0 || !members.every(member => member instanceof ExerciseCheck))
    throw new KetbookError(`checks.${name}: give checks, such as checks.${name}(checks.number(1), …).`);
}

const MAX_UNITARY_QUBITS = 8;

function columnsOfProgram(target: string | RecordedProgram, isUnitary: boolean): Columns {
  const { circuit } = compileAnswer(target);
  const qubits = Array.from({ length: circuit.numQubits }, (_, qubit) => qubit);
  if (isUnitary && qubits.length > MAX_UNITARY_QUBITS)
    throw new RangeError(
      `the program has ${qubits.length} qubits; unitaries of up to ${MAX_UNITARY_QUBITS} are compared.`,
    );
  const [branch, ...others] = executeBranches(circuit, {
    inputs: isUnitary ? qubits : [],
    ignoresFinalMeasurements: !isUnitary,
  });
  if (!branch || others.length > 0)
    throw new RangeError("the program ends in several states because of its measurements or resets.");
  return splitOutputs(branch.amplitudes, circuit.numQubits, qubits).columns;
}

function columnsOfRows(rows: readonly (readonly ComplexNumber[])[]): Columns {
  const { size, values } = readMatrix(rows, "a unitary");
  if (size > 2 ** MAX_UNITARY_QUBITS)
    throw new RangeError(
      `the matrix has ${Math.log2(size)} qubits; unitaries of up to ${MAX_UNITARY_QUBITS} are compared.`,
    );
  const unitary = orthonormalized(values);
  return Array.from({ length: size }, (_, column) => unitary.filter((_, i) => (i >> 1) % size === column));
}

/** Reads the probabilities of bit strings, and their rounding. Throws a `KetbookError` for anything else. */
export function readDistribution(wanted: Distribution): { probabilities: Distribution; rounding: number } {
  const entries = Object.entries(Object(wanted) as Distribution);
  const [first] = entries;
  const isRight = ([key, value]: [string, number]) =>
    /^[01]+$/.test(key) && key.length === first![0].length && Number.isFinite(value) && value >= 0;
  const total = entries.reduce((sum, [, value]) => sum + value, 0);
  if (!first || !entries.every(isRight) || Math.abs(total - 1) > 0.02)
    throw new KetbookError(
      'checks.distribution: give the probabilities of bit strings of one width, such as { "00": 0.5, "11": 0.5 }, which sum to 1.',
    );
  const probabilities = Object.fromEntries(
    entries.filter(([, value]) => value > 0).map(([key, value]) => [key, value / total]),
  );
  // Probabilities of three digits and more, such as 0.333, may be rounded; 0.5 and 0.25 are exact.
  const decimals = entries.map(([, value]) => String(value).split(".")[1]?.length ?? 0);
  const halfUnits = decimals.map(count => (count > 2 ? 10 ** -count / 2 : 0));
  return { probabilities, rounding: halfUnits.reduce((a, b) => a + b, 2 * Math.abs(total - 1)) };
}
