import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../../src/contract/account.ts";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import type { RuntimeDevice } from "../../src/contract/device.ts";
import type { JobGroup } from "../../src/contract/group.ts";
import type { JobsSummary, RuntimeJob } from "../../src/contract/job.ts";
import type { NoQuote, Quote } from "../../src/contract/quote.ts";
import {
  balanceCard,
  type Drawing,
  dailyUsageTable,
  deviceCard,
  deviceTable,
  groupCard,
  groupTable,
  jobCard,
  jobsProgressView,
  jobTable,
  pricingTable,
  progressView,
  quoteCard,
  type RenderedView,
  runCard,
  type StatusCounts,
  spendingTable,
  summaryCard,
  table,
  usageSeriesTable,
  usageTable,
} from "../../src/display/index.ts";
import { calibration } from "../charts/calibrations.ts";
import { spending } from "../charts/spendings.ts";
import { device, group, job, now } from "./records.ts";

/** One of each thing that has a form. */
export interface Samples {
  devices: readonly RuntimeDevice[];
  /** A device with its calibration and small map. */
  calibrated: { device: RuntimeDevice; calibration: DeviceCalibration; map: Drawing };
  job: RuntimeJob;
  failed: RuntimeJob;
  waiting: RuntimeJob;
  group: JobGroup;
  counts: StatusCounts;
  summary: JobsSummary;
  circuit: Drawing;
  quote: Quote;
  noQuote: NoQuote;
  balance: CreditBalance;
  pricing: CreditPricing;
  usage: SimulatorUsage;
  days: readonly UsageDay[];
  /** How much of something is loaded. */
  detail: string;
}

/** Every form of some samples, by the name of what it shows. */
export function formsOf(samples: Samples): { [name: string]: RenderedView } {
  const { calibrated, failed, waiting, group, counts, circuit, quote } = samples;
  const calibrations = new Map([[calibrated.device.qrn, calibrated.calibration]]);
  const run = { drawing: circuit, device: quote.deviceQrn, shots: quote.shots, name: samples.job.name ?? "" };
  const title = group.name ?? "";
  return {
    "device-table": deviceTable([...samples.devices, calibrated.device], { calibrations }),
    "device-card": deviceCard(calibrated.device, { now, ...calibrated }),
    "job-table": jobTable([samples.job, failed, waiting], { now, total: 240 }),
    "job-card": jobCard(samples.job, { now }),
    "failed-job": jobCard(failed, { now }),
    "group-table": groupTable([group], { now }),
    "group-card": groupCard(group, { now, failures: [failed] }),
    "jobs-progress": jobsProgressView({ title, counts, elapsedMs: 8300, failures: [failed] }),
    progress: progressView({ title: run.name, status: waiting.status, queuePosition: 3, elapsedMs: 2300 }),
    loading: progressView({
      title,
      status: "LOADING",
      detail: samples.detail,
      fraction: 0.3,
      elapsedMs: 900,
    }),
    summary: summaryCard(samples.summary),
    "prepared-run": runCard({ ...run, quote: { state: "known", quote } }),
    quote: quoteCard(quote),
    "no-quote": quoteCard(samples.noQuote),
    balance: balanceCard(samples.balance, { spent: samples.summary.cost.total }),
    pricing: pricingTable(samples.pricing),
    usage: usageTable([samples.usage], { now }),
    "usage-table": usageSeriesTable(samples.days),
  };
}

/** Samples with one text in each place that comes from outside. */
function hostileSamples(text: string): Samples {
  const outside = device({
    qrn: text,
    name: text,
    vendor: text,
    providerId: text,
    deviceType: text as "QPU",
    status: text as "ONLINE",
    statusMsg: text,
    description: text,
    notes: text,
    paradigm: text,
    modality: text,
    runInputTypes: Array(50).fill(text),
    noiseModels: [text],
    nextAvailable: text,
    pricingModel: text,
    topology: { type: text } as never,
  });
  const outsideJob = job({
    jobQrn: text,
    name: text,
    deviceQrn: text,
    status: text as "FAILED",
    statusMsg: text,
    groupJobQrn: text,
    tags: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}${text}`, text])),
    timeStamps: { createdAt: text, endedAt: text, executionDuration: Number.NaN },
  });
  const drawing = { svg: `<svg>${text}</svg>`, text };
  const counts = { [text]: 3, COMPLETED: 2, FAILED: 1 };
  const record = { ...calibration(3, [[0, 1, 0.02]], text), deviceQrn: text, lastCalibrated: text };
  return {
    devices: [outside],
    calibrated: { device: outside, calibration: record, map: drawing },
    job: outsideJob,
    failed: { ...outsideJob, status: "FAILED" },
    waiting: { ...outsideJob, status: text as "QUEUED" },
    group: group({
      groupJobQrn: text,
      name: text,
      status: text as "OPEN",
      tags: { [text]: text },
      createdAt: text,
    }),
    counts,
    summary: {
      total: 6,
      statuses: counts,
      experimentTypes: { [text]: 1 },
      deviceTypes: { [text]: 1 },
      cost: { total: 1, average: 0.1 },
      shots: { total: 10, average: 1 },
    },
    circuit: drawing,
    quote: quote(text),
    noQuote: { pricingAvailable: false, reason: text, deviceQrn: text, pricingModel: text },
    balance: { organizationId: text, svcCredits: 3, awsCredits: 0, autoRecharge: false },
    pricing: { usdPerCredit: 0.01, currency: text, minimumPurchase: 10, packs: [{ credits: 0, price: 0 }] },
    usage: { deviceQrn: text, tier: text, dailyLimit: 0, used: 1, remaining: null, resetsAt: text },
    days: [{ date: text, count: 3 }],
    detail: text,
  };
}

/** A quote of 175 credits. */
export const quote = (deviceQrn: string, basis: string = deviceQrn): Quote => ({
  pricingAvailable: true,
  estimatedCost: 175,
  deviceQrn,
  shots: 1000,
  breakdown: { task: 30, shots: 145, time: 0 },
  basis,
});

/** Every form, with one text in each place that comes from outside. */
export function everyForm(text: string): { [name: string]: RenderedView } {
  return {
    ...formsOf(hostileSamples(text)),
    "failed-quote": runCard({ shots: 10, problem: text, quote: { state: "failed", reason: text } }),
    spending: spendingTable(spending("tag", [[text, 3, 1]], { about: [text] })),
    "daily-usage": dailyUsageTable([{ date: text, deviceQrn: text, count: 3 }]),
    table: table({ caption: text, columns: [{ label: text, value: () => text }], rows: [1] }),
  };
}
