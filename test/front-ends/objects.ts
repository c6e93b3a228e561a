import {
  amplitudeChart,
  blochChart,
  type Chart,
  calibrationBars,
  calibrationMap,
  cityChart,
  comparison,
  histogram,
  miniMap,
  usageChart,
} from "../../src/charts/index.ts";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import { jupyterDisplay, type MimeBundle } from "../../src/display/bundle.ts";
import {
  balanceCard,
  deviceCard,
  deviceTable,
  displayable,
  type Form,
  groupCard,
  jobCard,
  jobsProgressView,
  jobTable,
  pricingTable,
  progressView,
  quoteCard,
  runCard,
  summaryCard,
  usageTable,
} from "../../src/display/index.ts";
import { calibration, heavyHex } from "../charts/calibrations.ts";
import { quote } from "../display/every-form.ts";
import { device, group, job, now } from "../display/records.ts";

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

const circuit = {
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><path d="M0 20H120" stroke="#767676"/><rect x="40" y="6" width="28" height="28" fill="#0072B2"/></svg>`,
  text: "q: ─[H]─",
};

function forms(): { [name: string]: Form } {
  const { record, device: heavy } = heavyDevice();
  const failed = job({ name: "θ = 0.3", status: "FAILED", statusMsg: '3:7: unknown gate "hh"' });
  const waiting = job({ status: "QUEUED", queuePosition: 3, cost: null });
  const counts = { COMPLETED: 14, RUNNING: 2, QUEUED: 23, FAILED: 1 };
  return {
    "device-table": deviceTable([device(), heavy], { calibrations: new Map([[record.deviceQrn, record]]) }),
    "device-card": deviceCard(heavy, { now, calibration: record, map: miniMap(heavy, record) }),
    "job-table": jobTable([job(), failed, waiting], { now, total: 240 }),
    "job-card": jobCard(job(), { now }),
    "failed-job": jobCard(failed, { now }),
    "group-card": groupCard(group(), { now, failures: [failed] }),
    "jobs-progress": jobsProgressView({ title: "Sweep of θ", counts, elapsedMs: 8300, failures: [failed] }),
    progress: progressView({ title: "Bell", status: "QUEUED", queuePosition: 3, elapsedMs: 2300 }),
    "prepared-run": runCard({ drawing: circuit, device: heavy.qrn, shots: 1000, name: "Bell" }),
    quote: quoteCard(quote("Fixed prices per task and shot.")),
    balance: balanceCard(
      { organizationId: "local", svcCredits: 999_873.25, awsCredits: 0, autoRecharge: false },
      { spent: 126.75 },
    ),
    pricing: pricingTable({
      usdPerCredit: 0.01,
      currency: "USD",
      minimumPurchase: 10,
      packs: [
        { credits: 1000, price: 10 },
        { credits: 12_000, price: 100 },
      ],
    }),
    usage: usageTable(
      [
        {
          deviceQrn: "svc:svc:sim:sparse",
          tier: "free",
          dailyLimit: 500,
          used: 480,
          remaining: 20,
          resetsAt: "2026-11-22T00:00:00Z",
        },
      ],
      { now },
    ),
    summary: summaryCard({
      total: 152,
      statuses: { COMPLETED: 140, FAILED: 7, CANCELLED: 2, RUNNING: 1, QUEUED: 2 },
      experimentTypes: { gate_model: 150, analog: 2 },
      deviceTypes: { SIMULATOR: 140, QPU: 12 },
      cost: { total: 126.75, average: 0.83 },
      shots: { total: 152_000, average: 1000 },
    }),
  };
}

export function charts(): { [name: string]: Chart } {
  const { record, device: heavy } = heavyDevice();
  const bell = { counts: { "00": 503, "11": 497 }, shots: 1000, title: "Bell pair" };
  const spread = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [index.toString(2).padStart(6, "0"), 7660 - 97 * index]),
  );
  const days = Array.from({ length: 30 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
    count: (index * 37) % 460,
  }));
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
  };
}

/** Every object once, with the bundle that a kernel would send, made when it is asked for. */
export function objects(): { name: string; bundle: () => MimeBundle }[] {
  return [
    ...Object.entries(forms()).map(([name, form]) => ({
      name,
      bundle: () => displayable(form)[jupyterDisplay](),
    })),
    ...Object.entries(charts()).map(([name, chart]) => ({ name, bundle: () => chart[jupyterDisplay]() })),
  ];
}
