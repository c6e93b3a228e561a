import { miniMap } from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import {
  type DeviceCalibration,
  describeValue,
  isKnownTopology,
  type Program,
  type RecordedProgram,
  type RuntimeDevice,
  type Topology,
} from "../../contract/index.ts";
import {
  card,
  type ExpectedShot,
  expectedFacts,
  type Fact,
  html,
  picture,
  type RenderedView,
} from "../../display/index.ts";
import { printCompiled, twoQubitGateCount } from "../../simulation/index.ts";
import type { Device, PendingDevice } from "../devices/device.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions } from "../values/options.ts";
import { drawProgram } from "./circuit.ts";
import {
  compileForDevice,
  expectedRunOf,
  type TranspileOptions,
  transpileOptionChecks,
} from "./device-program.ts";
import { QasmProgram } from "./program.ts";
import { naming, unlessProblem } from "./program-figures.ts";

/** A device as records describe it, of any service. */
export interface TranspileTarget {
  /** Name of the target. Default: "Device". */
  name?: string;
  /** Connections of its qubits. */
  topology: Topology;
  /** Its errors and gate lengths, whose names say which gates are native. Default: none, with `rz`, `sx`, `x` and `cx`. */
  calibration?: DeviceCalibration;
}

/** A program as native gates on a device's qubits, which shows itself before and after, with its layout and figures. */
export class TranspiledProgram extends DisplayableValue {
  /** The program as it was. */
  readonly before: QasmProgram;
  /** The program of native gates on physical qubits. It runs like any other, and is transpiled no further. */
  readonly program: QasmProgram;
  /**
   * The physical qubit on which each qubit of the program begins; -1 for untouched qubits of a program that
   * declares more than the device has.
   */
  readonly initialLayout: readonly number[];
  /** The physical qubit on which each qubit of the program ends; -1 where `initialLayout` is. */
  readonly finalLayout: readonly number[];
  /** Length of the longest chain of operations that share a qubit or bit. */
  readonly depth: number;
  /** Number of native two-qubit gates; the body of a loop counts once. */
  readonly twoQubitGates: number;
  /**
   * The expected fidelity of a shot, 0 to 1: the product of the fidelities of gates and readouts and of qubits that idle, by
   * the calibration. Null without one, where it lacks a figure of these (the card names it), and where a program has too
   * many branches to be scheduled.
   */
  readonly expectedFidelity: number | null;
  /** Nanoseconds that a shot takes by the calibration's gate lengths; null where it lacks one of them, or a fidelity is not known. */
  readonly duration: number | null;
  readonly #device: Pick<RuntimeDevice, "name" | "topology" | "numberQubits">;
  readonly #calibration: DeviceCalibration | undefined;
  readonly #expected: ExpectedShot | undefined;

  /** @internal */
  constructor(
    before: QasmProgram,
    { name = "Device", topology, calibration }: TranspileTarget,
    options: TranspileOptions,
  ) {
    super();
    if (!isKnownTopology(topology))
      throw new KetbookError(
        `transpile: ${name} does not say how its qubits are connected. Give \`{ topology: { type: "coupling-map", qubits, edges } }\`.`,
      );
    this.before = before;
    this.#device = { name, topology, numberQubits: null };
    this.#calibration = calibration;
    const { circuit, initialLayout, finalLayout } = compileForDevice(
      before.source,
      topology,
      calibration,
      options,
    );
    this.program = QasmProgram.of(printCompiled(circuit, { method: "transpiled" }));
    this.initialLayout = initialLayout;
    this.finalLayout = finalLayout;
    this.depth = circuit.depth();
    this.twoQubitGates = twoQubitGateCount(circuit);
    this.#expected = calibration && unlessProblem(() => expectedRunOf(circuit, calibration));
    this.expectedFidelity = this.#expected?.fidelity ?? null;
    this.duration = this.#expected?.duration ?? null;
  }

  /** The transpiled program with its figures. */
  toJSON(): Program &
    Pick<
      TranspiledProgram,
      "depth" | "twoQubitGates" | "expectedFidelity" | "duration" | "initialLayout" | "finalLayout"
    > {
    const { depth, twoQubitGates, expectedFidelity, duration, initialLayout, finalLayout } = this;
    const { format, data } = this.program;
    return { format, data, depth, twoQubitGates, expectedFidelity, duration, initialLayout, finalLayout };
  }

  /** @internal */
  protected override render(): RenderedView {
    const drawn = (title: string, program: QasmProgram) => {
      const found = drawProgram(program);
      if (!("drawing" in found)) return [];
      return [{ html: html`${title}`, text: title }, picture(found.drawing, `Circuit, ${title}`)];
    };
    const places = [...this.initialLayout.entries()].filter(([, physical]) => physical >= 0);
    const labels = new Map(places.map(([qubit, physical]) => [physical, String(qubit)]));
    const map = this.#calibration && miniMap(this.#device, this.#calibration, labels);
    const used = places.map(([qubit, physical]) => `${qubit} → $${physical}`);
    const facts: Fact[] = [
      ["Layout", used.length > 40 ? `${used.slice(0, 40).join(", ")}, …` : used.join(", ")],
      ["Depth", String(this.depth)],
      ["Two-qubit gates", String(this.twoQubitGates)],
      ...(this.#expected ? expectedFacts(this.#expected) : []),
    ];
    return card({
      kind: "transpiled program",
      title: this.#device.name,
      blocks: [
        ...drawn("Before", this.before),
        ...drawn("After", this.program),
        map && { ...picture(map, "Layout on the device"), text: "" },
      ],
      facts,
    });
  }
}

/**
 * Transpiles a program for a device: native gates, a layout on its qubits, and swaps where its couplings need them. Shows
 * the circuit before and after, the layout on the device's map, depth, two-qubit gates, duration and expected fidelity.
 *
 * @example
 * ```ts
 * import { device, qasm, transpile } from "ketbook";
 * const star = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[4] q; h q[0]; cx q[0], q[1]; cx q[0], q[2]; cx q[0], q[3];`;
 * const { twoQubitGates, expectedFidelity } = await transpile(star, device("perth"), { optimizationLevel: 3 });
 * ```
 *
 * @throws KetbookError for a program that does not compile or does not fit the device; it says why.
 */
export function transpile(
  program: string | RecordedProgram,
  device: Device | PendingDevice | TranspileTarget,
  options: TranspileOptions = {},
): LazyValue<TranspiledProgram> {
  checkHelperOptions("transpile", options, transpileOptionChecks);
  return new LazyValue("Transpiled program", async () => {
    const target = await targetOfDevice(await device);
    return naming("transpile", () => new TranspiledProgram(QasmProgram.of(program), target, options));
  });
}

async function targetOfDevice(device: Device | TranspileTarget): Promise<TranspileTarget> {
  if (typeof device !== "object" || device === null)
    throw new KetbookError(
      `transpile: ${describeValue(device)} is not a device. Give one of devices(), such as await device("garnet").`,
    );
  if (!("shownCalibration" in device)) return device;
  const { name, topology, qrn } = device;
  if (!topology) throw new KetbookError(`transpile: ${qrn} does not say how its qubits are connected.`);
  const calibration = await device.shownCalibration();
  return { name: name ?? qrn, topology, ...(calibration ? { calibration } : {}) };
}
