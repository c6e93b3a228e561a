/** A Qiskit backend of three qubits in a row, as its `conf_*.json` and `props_*.json` say it. */
export function qiskitFiles() {
  const figure = (name: string, value: number, unit = "") => ({
    date: "2026-03-01T08:00:00+01:00",
    name,
    unit,
    value,
  });
  const gate = (name: string, qubits: number[], error: number, length: number) => ({
    gate: name,
    name: `${name}${qubits.join("_")}`,
    qubits,
    parameters: [figure("gate_error", error), figure("gate_length", length, "ns")],
  });
  const configuration = {
    backend_name: "ibm_trio",
    backend_version: "1.2.3",
    n_qubits: 3,
    basis_gates: ["id", "rz", "sx", "x", "cx", "reset"],
    coupling_map: [
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ],
    max_shots: 20_000,
    simulator: false,
  };
  const properties = {
    backend_name: "ibm_trio",
    backend_version: "1.2.3",
    last_update_date: "2026-03-01T09:30:00+01:00",
    qubits: [0, 1, 2].map(qubit => [
      figure("T1", 100 + qubit, "us"),
      figure("T2", 0.08, "ms"),
      figure("frequency", 5100, "MHz"),
      figure("anharmonicity", -0.34, "GHz"),
      figure("readout_error", 0.02),
      figure("prob_meas0_prep1", 0.03),
      figure("prob_meas1_prep0", 0.01),
      figure("readout_length", 800, "ns"),
    ]),
    gates: [
      ...[0, 1, 2].flatMap(qubit => [
        gate("rz", [qubit], 0, 0),
        gate("sx", [qubit], 0.0003, 35),
        gate("x", [qubit], 0.0003, 35),
        {
          gate: "reset",
          name: `reset${qubit}`,
          qubits: [qubit],
          parameters: [figure("gate_length", 900, "ns")],
        },
      ]),
      ...[
        [0, 1],
        [1, 0],
        [1, 2],
        [2, 1],
      ].map(pair => gate("cx", pair, 0.008, 300)),
    ],
    general: [],
  };
  return { configuration, properties };
}

const header = (maker: string) => ({
  name: `braket.device_schema.${maker}.${maker}_device_capabilities`,
  version: "1",
});

/** A QPU of IQM with four qubits in a square, numbered from 1, as Braket describes it. */
export function iqmFile() {
  const type = (name: string) => ({ name, description: null });
  return {
    braketSchemaHeader: header("iqm"),
    service: {
      shotsRange: [1, 20_000],
      deviceCost: { price: 0.00145, unit: "shot" },
      updatedAt: "2026-04-01T10:00:00",
    },
    paradigm: {
      qubitCount: 4,
      nativeGateSet: ["cz", "prx"],
      connectivity: {
        fullyConnected: false,
        connectivityGraph: { "1": ["2", "3"], "2": ["1", "4"], "3": ["1", "4"], "4": ["2", "3"] },
      },
    },
    standardized: {
      oneQubitProperties: Object.fromEntries(
        [1, 2, 3, 4].map(qubit => [
          String(qubit),
          {
            T1: { value: 4e-5, standardError: null, unit: "S" },
            T2: { value: 9, standardError: null, unit: "us" },
            oneQubitFidelity: [
              { fidelityType: type("RANDOMIZED_BENCHMARKING"), fidelity: 0.999, standardError: null },
              { fidelityType: type("READOUT"), fidelity: 0.97, standardError: null },
            ],
          },
        ]),
      ),
      twoQubitProperties: Object.fromEntries(
        ["1-2", "1-3", "2-4", "3-4"].map(pair => [
          pair,
          {
            twoQubitGateFidelity: [
              { gateName: "CZ", fidelity: 0.992, fidelityType: type("RANDOMIZED_BENCHMARKING") },
            ],
          },
        ]),
      ),
    },
  };
}

/** A QPU of IonQ, of which Braket has means alone. */
export const ionqFile = () => ({
  braketSchemaHeader: header("ionq"),
  service: { shotsRange: [1, 5000], deviceCost: { price: 0.08, unit: "shot" } },
  paradigm: {
    qubitCount: 5,
    nativeGateSet: ["GPI", "GPI2", "ZZ"],
    connectivity: { fullyConnected: true, connectivityGraph: {} },
  },
  provider: {
    fidelity: { "1Q": { mean: 0.9999 }, "2Q": { mean: 0.99 }, spam: { mean: 0.995 } },
    timing: { T1: 100, T2: 1, "1Q": 6.3e-5, "2Q": 6.5e-4, readout: 2.5e-4, reset: 2e-5 },
  },
});

/** A QPU of Rigetti with two qubits and this two-qubit gate. */
export const rigettiFile = (gateName: string) => ({
  braketSchemaHeader: header("rigetti"),
  paradigm: {
    qubitCount: 2,
    nativeGateSet: ["rx", "rz", gateName.toLowerCase()],
    connectivity: { fullyConnected: false, connectivityGraph: { "10": ["11"], "11": ["10"] } },
  },
  standardized: {
    oneQubitProperties: Object.fromEntries(
      ["10", "11"].map(qubit => [
        qubit,
        {
          T1: { value: 2e-5, unit: "s" },
          T2: { value: 1e-5, unit: "s" },
          oneQubitFidelity: [
            { fidelityType: { name: "SIMULTANEOUS_RANDOMIZED_BENCHMARKING" }, fidelity: 0.998 },
          ],
        },
      ]),
    ),
    twoQubitProperties: { "10-11": { twoQubitGateFidelity: [{ gateName, fidelity: 0.97 }] } },
  },
});

/** A device of one's own, of two qubits. */
export const ownFile = () => ({
  name: "Mine",
  topology: { type: "coupling-map", qubits: 2, edges: [[0, 1]] },
  calibration: {
    lastCalibrated: "2026-05-01T00:00:00Z",
    qubits: {
      "0": {
        T1: 50,
        T2: 40,
        readoutError: 0.05,
        readoutLength: 1000,
        gateError: { sx: 0.001 },
        gateLength: { sx: 40 },
      },
      "1": {
        T1: 60,
        T2: 70,
        readoutError: 0.02,
        readoutLength: 1000,
        gateError: { sx: 0.001 },
        gateLength: { sx: 40 },
      },
    },
    edges: {
      gateError: { cz: [{ source: 0, target: 1, value: 0.01 }] },
      gateLength: { cz: [{ source: 0, target: 1, value: 120 }] },
    },
  },
  pricing: { perTask: 1, perShot: 0.5, perMinute: 0 },
});
