import type { Gate } from "../circuit/gate.ts";
import type { DeviceFigures, GateFigure } from "./device-figures.ts";

/** A pulse of a gate: the qubits that it acts on, with its error and its length. */
export interface Pulse extends GateFigure {
  readonly qubits: readonly number[];
}

/** Looks up what gates take on a device. */
export interface GateFigures {
  /** Whether a gate is one of the device's own on these qubits, and not to be decomposed. */
  isNative(name: string, qubits: readonly number[]): boolean;
  /**
   * Returns the pulses of a gate, one after the other; none where it is virtual, as rotations about Z are. A swap is
   * three gates of its pair, and a gate on more than two qubits two on each pair of them.
   */
  pulses(gate: Gate, qubits: readonly number[]): readonly Pulse[];
}

/** Returns the lookup of a device's figures. */
export function gateFiguresOf({ qubits: all, pairs, uncoupled }: DeviceFigures): GateFigures {
  const byPair = new Map(pairs.map(pair => [`${pair.a} ${pair.b}`, pair]));
  const pairOf = (a: number, b: number) => byPair.get(`${a} ${b}`) ?? byPair.get(`${b} ${a}`);
  const listed = (name: string, qubits: readonly number[]): GateFigure | undefined => {
    const [a, b] = qubits as [number, number];
    if (qubits.length > 2) return undefined;
    const gates = qubits.length === 1 ? all[a]?.gates : pairOf(a, b)?.gates;
    return gates && Object.hasOwn(gates, name) ? gates[name] : undefined;
  };
  const one = (gate: Gate, qubit: number): GateFigure | undefined => {
    const own = listed(gate.name, [qubit]);
    if (own) return own.length > 0 || own.error > 0 ? own : undefined;
    return gate.diagonal && gate.symbol !== "id" ? undefined : all[qubit]!.otherwise;
  };
  return {
    isNative: (name, qubits) => listed(name, qubits) !== undefined,
    pulses(gate, qubits) {
      if (qubits.length === 0) return [];
      if (qubits.length === 1) {
        const figure = one(gate, qubits[0]!);
        return figure ? [{ qubits, ...figure }] : [];
      }
      const own = listed(gate.name, qubits);
      if (own) return [{ qubits, ...own }];
      const times = qubits.length > 2 ? 2 : gate.kind === "swap" ? 3 : 1;
      return qubits.flatMap((a, i) =>
        qubits.slice(i + 1).flatMap(b => {
          const pulse = { qubits: [a, b], ...(pairOf(a, b)?.otherwise ?? uncoupled) };
          return new Array<Pulse>(times).fill(pulse);
        }),
      );
    },
  };
}
