import {
  amplitudeChart,
  blochChart,
  type Chart,
  calibrationBars,
  calibrationMap,
  cityChart,
  comparison,
  hintonChart,
  histogram,
  miniMap,
  usageChart,
} from "../../src/charts/index.ts";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import { jupyterDisplay, type MimeBundle } from "../../src/display/bundle.ts";
import { type Drawing, displayable } from "../../src/display/index.ts";
import { drawProgram } from "../../src/notebook/programs/circuit.ts";
import { calibration, heavyHex } from "../charts/calibrations.ts";
import { formsOf, quote, type Samples } from "../display/every-form.ts";
import { device, group, job } from "../display/records.ts";

/** Numbers from 0 to 1 without an order that is seen, the same every time. */
const scattered = (index: number) => Math.abs(Math.sin(index * 12.9898) * 43_758.5453) % 1;

/** Errors like those of a device, most of them below 2 %. */
const errorAt = (index: number) => 0.004 * 10 ** (1.6 * scattered(index) ** 3);

function heavyDevice() {
  const { qubits, edges, coordinates } = heavyHex(7, 15);
  const record: DeviceCalibration = calibration(
    qubits,
    edges.slice(3).map(([a, b], index) => [a, b, errorAt(index)]),
    "ecr",
  );
  for (const [name, figures] of Object.entries(record.qubits)) {
    const qubit = Number(name);
    figures.readoutError = errorAt(qubit + 500);
    figures.T1 = 60 + 240 * scattered(qubit + 1000);
    figures.T2 = 30 + 200 * scattered(qubit + 2000);
    figures.gateError = { sx: errorAt(qubit + 3000) / 20 };
  }
  const topology = { type: "coupling-map" as const, qubits, edges, coordinates };
  return {
    record,
    device: device({
      qrn: record.deviceQrn,
      name: "Heavy hexagons",
      deviceType: "QPU",
      numberQubits: qubits,
      topology,
      queueDepth: 3,
    }),
  };
}

const bell = `OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;

function circuit(): Drawing {
  const drawn = drawProgram({ format: "qasm3", data: bell });
  if ("drawing" in drawn) return drawn.drawing;
  throw new Error(drawn.problem);
}

function samples(): Samples {
  const { record, device: heavy } = heavyDevice();
  return {
    devices: [device()],
    calibrated: { device: heavy, calibration: record, map: miniMap(heavy, record) },
    job: job(),
    failed: job({ name: "θ = 0.3", status: "FAILED", statusMsg: '3:7: unknown gate "hh"' }),
    waiting: job({ status: "QUEUED", queuePosition: 3, cost: null }),
    group: group(),
    counts: { COMPLETED: 14, RUNNING: 2, QUEUED: 23, FAILED: 1 },
    summary: {
      total: 152,
      statuses: { COMPLETED: 140, FAILED: 7, CANCELLED: 2, RUNNING: 1, QUEUED: 2 },
      experimentTypes: { gate_model: 150, analog: 2 },
      deviceTypes: { SIMULATOR: 140, QPU: 12 },
      cost: { total: 126.75, average: 0.83 },
      shots: { total: 152_000, average: 1000 },
    },
    circuit: circuit(),
    quote: quote(heavy.qrn, "the device's prices"),
    noQuote: {
      pricingAvailable: false,
      reason: "dynamic_pricing_unavailable",
      deviceQrn: "ibm:emulated:qpu:test",
      pricingModel: "dynamic",
    },
    balance: { organizationId: "local", svcCredits: 999.25, awsCredits: 0, autoRecharge: false },
    pricing: {
      usdPerCredit: 0.01,
      currency: "USD",
      minimumPurchase: 10,
      packs: [
        { credits: 1000, price: 10 },
        { credits: 12_000, price: 100 },
      ],
    },
    usage: {
      deviceQrn: "svc:svc:sim:sparse",
      tier: "free",
      dailyLimit: 500,
      used: 480,
      remaining: 20,
      resetsAt: "2026-11-22T00:00:00Z",
    },
    days: days.slice(-5),
    detail: "3.4 MB",
  };
}

const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  count: (index * 37) % 460,
}));

/** Every kind of chart once, by its name. */
export function charts(): { [name: string]: Chart } {
  const { record, device: heavy } = heavyDevice();
  const bell = { counts: { "00": 503, "11": 497 }, shots: 1000, title: "Bell pair" };
  const spread = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [index.toString(2).padStart(6, "0"), 7660 - 97 * index]),
  );
  const parts = Array.from({ length: 16 }, (_, index) => Math.sin(index + 1));
  const state = parts.map(part => part / Math.hypot(...parts));
  return {
    histogram: histogram(bell),
    "histogram-many": histogram({ counts: spread, shots: 0 }, { top: 12 }),
    comparison: comparison([
      { label: "Perth", counts: { "00": 450, "11": 480, "01": 40, "10": 30 } },
      { label: "ideal", probabilities: { "00": 0.5, "11": 0.5 } },
    ]),
    "calibration-map": calibrationMap(heavy, record),
    "calibration-bars": calibrationBars(heavy, record),
    "calibration-matrix": calibrationMap(
      { name: "Ions", numberQubits: 8, topology: { type: "fully-connected", qubits: 8 } },
      calibration(8, [
        [0, 7, 0.006],
        [1, 2, 0.03],
      ]),
    ),
    "usage-series": usageChart(days, { quota: 500, device: "svc:svc:sim:statevector" }),
    amplitudes: amplitudeChart(state),
    bloch: blochChart(state),
    city: cityChart(state),
    hinton: hintonChart(state),
  };
}

/** Every object once, with the bundle that a kernel would send, made when it is asked for. */
export function objects(): { name: string; bundle: () => MimeBundle }[] {
  return [
    ...Object.entries(formsOf(samples())).map(([name, form]) => ({
      name,
      bundle: () => displayable(form)[jupyterDisplay](),
    })),
    ...Object.entries(charts()).map(([name, chart]) => ({ name, bundle: () => chart[jupyterDisplay]() })),
  ];
}
