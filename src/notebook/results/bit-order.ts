import type { RecordedProgram } from "../../contract/index.ts";
import { attempted } from "../../host/attempted.ts";
import {
  areReversedCounts,
  type Distribution,
  isBitString,
  mapOutcomes,
  outcomesOf,
  type Register,
  removeSpaces,
} from "../../results/index.ts";
import { type Circuit, compile, type InputValue, simulate } from "../../simulation/index.ts";
import { QasmProgram } from "../programs/program.ts";
import { sourceOf } from "../programs/program-figures.ts";

/** From which end the bits of an outcome are to be read. */
export interface BitOrder {
  /**
   * `msb-first`: `c[n-1] … c[0]`, bit 0 on the right, as in OpenQASM and Qiskit. `lsb-first`: `c[0] … c[n-1]`, the
   * mirror image. `unknown`: nothing tells.
   */
  readonly order: "msb-first" | "lsb-first" | "unknown";
  /** Reason for this order, in a sentence. */
  readonly reason: string;
}

export interface BitOrderEvidence {
  values: Distribution;
  exact?: boolean;
  /** The service names the registers, as this project's service does. */
  namesRegisters?: boolean;
  isUserMade?: boolean;
  program?: () => ProgramBits | undefined;
  /** Common object of all results of a job, which share their bit order. */
  job?: object;
  deviceQrn?: string;
  experimentType?: string | null;
  date?: string | null;
}

/** Since when all gate-model devices of the hosted service write bit 0 on the right. */
const unified = Date.UTC(2026, 8, 1);
/** Devices that wrote bit 0 on the left until then, and devices that never did, as the public SDK's survey of routes found. */
const reversedUntilUnified = [/^rigetti:/, /^oqc:/, /:qir\b[^:]*$/];
const neverReversed = [/^(?:aws|aqt|ibm|ionq|openquantum|origin|quantinuum):/, /^azure:(?:ionq|quantinuum):/];
/** The simulators and emulated devices of this project's own service. */
const own = [/^(\w+):\1:sim:(?:statevector|sparse|stabilizer|noisy|density|tensor|automatic)$/, /:emulated:/];

const msb = (reason: string): BitOrder => ({ order: "msb-first", reason });
const lsb = (reason: string): BitOrder => ({ order: "lsb-first", reason });
const unknown = (reason: string): BitOrder => ({ order: "unknown", reason });

/** Finds the end from which to read the bits: by the service's record, the program, the device and date. */
export function inferBitOrder(evidence: BitOrderEvidence): BitOrder {
  const { values, namesRegisters, isUserMade, deviceQrn = "", experimentType } = evidence;
  const [first] = outcomesOf(values);
  if (first === undefined) return unknown("There are no outcomes.");
  if (experimentType === "analog" || /^[gre]+$/.test(first))
    return lsb("Atoms are in the order of their sites, the first on the left.");
  if (namesRegisters && isBitString(first))
    return msb("The service names the registers, and writes the last declared bit on the left.");
  if (!outcomesOf(values).every(isBitString)) return unknown("The outcomes are not bit strings.");
  if (removeSpaces(first).length === 1) return msb("One bit has one order.");
  if (own.some(device => device.test(deviceQrn)))
    return msb("Ketbook's own service writes the last declared bit on the left.");
  if (isUserMade) return msb("The result was made by hand: Ketbook's own order is taken for granted.");
  return byPrograms(evidence, first) ?? byDevice(deviceQrn, evidence.date);
}

const maxPrograms = 16;
/** Shots that exact probabilities are worth. */
const shotsOfExact = 1e6;
const looks = new WeakMap<object, { programs: number; order?: BitOrder | undefined }>();

function byPrograms(evidence: BitOrderEvidence, first: string): BitOrder | undefined {
  const { job = {} } = evidence;
  const look = looks.get(job) ?? { programs: 0 };
  looks.set(job, look);
  if (look.order)
    return { ...look.order, reason: `Another program of the job tells it. ${look.order.reason}` };
  if (look.programs++ < maxPrograms) look.order = byProgram(evidence, first);
  return look.order;
}

function byProgram(
  { values, exact: isExact = false, program: look }: BitOrderEvidence,
  first: string,
): BitOrder | undefined {
  const program = look?.();
  if (!program) return undefined;
  const groups = first.split(" ").map(({ length }) => length);
  const declared = program.registers.map(({ size }) => size);
  const [asDeclared, reversed] = [declared, declared.toReversed()].map(
    sizes => sizes.join() === groups.join(),
  );
  if (groups.length > 1 && asDeclared !== reversed)
    return reversed
      ? msb("The groups of bits have the widths of the program's registers, the last declared on the left.")
      : lsb("The groups of bits have the widths of the program's registers, the first declared on the left.");
  const exact = program.width === removeSpaces(first).length ? program.exact() : undefined;
  const mirrored =
    exact && areReversedCounts(mapOutcomes(values, removeSpaces), exact, isExact ? shotsOfExact : 1);
  if (mirrored === undefined) return undefined;
  return mirrored
    ? lsb("The counts are those of the program with the first declared bit on the left.")
    : msb("The counts are those of the program with the last declared bit on the left.");
}

function byDevice(deviceQrn: string, date: string | null | undefined): BitOrder {
  const time = date ? Date.parse(date) : Number.NaN;
  if (time >= unified) return msb("Gate-model devices write bit 0 on the right since September 2026.");
  if (neverReversed.some(device => device.test(deviceQrn)))
    return msb(`Results of ${deviceQrn} had bit 0 on the right before September 2026 too.`);
  if (Number.isNaN(time)) return unknown("Neither the program tells the order, nor a date and device.");
  if (reversedUntilUnified.some(device => device.test(deviceQrn)))
    return lsb(`Results of ${deviceQrn} had bit 0 on the left before September 2026.`);
  return unknown(
    `Nobody knows in which order ${deviceQrn || "the device"} wrote bits before September 2026.`,
  );
}

const maxLength = 100_000;
const maxQubits = 12;
/** Limits of compiling a program only to explain an existing result. */
const compileLimits = { maxOperations: 100_000, maxTokens: 100_000, maxBits: 10_000, maxQubits: 10_000 };
const simulationLimits = { shots: 0, threads: 1, maxOperations: 200_000, maxMilliseconds: 250 };

export type ProgramBits = NonNullable<ReturnType<typeof programBits>>;

/** Looks at the program of a run when it is first asked for, once; `undefined` where it does not compile here, or is too long. */
export function analyzeProgram(
  program: string | RecordedProgram | undefined,
  inputs: unknown,
): () => ProgramBits | undefined {
  let found: { bits: ProgramBits | undefined } | undefined;
  return () => {
    found ??= { bits: program ? programBits(QasmProgram.of(program), inputs) : undefined };
    return found.bits;
  };
}

function programBits(program: QasmProgram, inputs: unknown) {
  const source = sourceOf(program.toJSON());
  if (!source || source.data === "" || source.data.length > maxLength) return undefined;
  const given = Object(inputs ?? {}) as { [name: string]: InputValue };
  const circuit = attempted(() => compile(source, { ...compileLimits, inputs: given }));
  if (!circuit) return undefined;
  const registers: Register[] = circuit.registers.classical.map(({ name, width }) => ({ name, size: width }));
  const width = registers.reduce((sum, { size }) => sum + size, 0);
  return {
    registers,
    width,
    measures: "measure" in circuit.gateCounts(),
    /** The exact distribution of the outcomes, without spaces; `undefined` for programs of more than 12 qubits, or too long. */
    exact: () => (circuit.numQubits <= maxQubits ? exactOutcomes(circuit) : undefined),
  };
}

function exactOutcomes(circuit: Circuit): Distribution | undefined {
  const { measurementProbabilities } = attempted(() => simulate(circuit, simulationLimits)) ?? {};
  return measurementProbabilities && mapOutcomes(measurementProbabilities, removeSpaces);
}
