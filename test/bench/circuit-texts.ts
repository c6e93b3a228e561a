import type { BenchCircuit, BenchGate } from "./circuits.ts";

/** Writes a circuit in OpenQASM 2, or in 3 where it has a gate with many controls. */
export function openQasm({ numQubits, gates }: BenchCircuit): string {
  const isSecond = gates.every(({ name }) => name !== "mcz");
  const line = ({ name, params, qubits }: BenchGate) =>
    `${name === "mcz" ? `ctrl(${qubits.length - 1}) @ z` : name}${params.length > 0 ? `(${params})` : ""} ${qubits.map(i => `q[${i}]`)};`;
  return [
    ...(isSecond
      ? ['OPENQASM 2.0;\ninclude "qelib1.inc";', `qreg q[${numQubits}];\ncreg c[${numQubits}];`]
      : ['OPENQASM 3.0;\ninclude "stdgates.inc";', `qubit[${numQubits}] q;\nbit[${numQubits}] c;`]),
    ...gates.map(line),
    isSecond ? "measure q -> c;" : "c = measure q;",
  ].join("\n");
}

/** Writes a circuit in the format of qsim, without the measurement; each gate is as early as it can be. Its cp turns the other way. */
export function qsimText({ numQubits, gates }: BenchCircuit): string {
  const times = new Array<number>(numQubits).fill(0);
  const lines: (string | number)[] = [numQubits];
  const add = (name: string, qubits: readonly number[], params: readonly number[] = []) => {
    const time = Math.max(...qubits.map(qubit => times[qubit]!));
    for (const qubit of qubits) times[qubit] = time + 1;
    const operands = name === "mcz" ? ["c", ...qubits.slice(0, -1), "z", qubits.at(-1)!] : [name, ...qubits];
    lines.push([time, ...operands, ...params].join(" "));
  };
  for (const { name, params, qubits } of gates) {
    if (name === "u3") {
      const [theta, phi, lambda] = params as [number, number, number];
      add("rz", qubits, [lambda]);
      add("ry", qubits, [theta]);
      add("rz", qubits, [phi]);
    } else if (name === "cu1") add("cp", qubits, [-params[0]!]);
    else add(name === "cx" ? "cnot" : name, qubits, params);
  }
  return `${lines.join("\n")}\n`;
}

/** Writes a Clifford circuit in the format of Stim. */
export function stimText({ numQubits, gates }: BenchCircuit): string {
  const lines = gates.map(
    ({ name, qubits }) => `${name === "sdg" ? "S_DAG" : name.toUpperCase()} ${qubits.join(" ")}`,
  );
  return `${lines.join("\n")}\nM ${Array.from({ length: numQubits }, (_, i) => i).join(" ")}\n`;
}
