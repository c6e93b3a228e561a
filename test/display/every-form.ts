import {
  balanceCard,
  deviceCard,
  deviceTable,
  type Form,
  groupCard,
  groupTable,
  jobCard,
  jobsProgressView,
  jobTable,
  pricingTable,
  progressView,
  quoteCard,
  runCard,
  summaryCard,
  table,
  usageSeriesTable,
  usageTable,
} from "../../src/display/index.ts";
import { calibration } from "../charts/calibrations.ts";
import { device, group, job, now } from "./records.ts";

/** A quote of 175 credits; the text stands in its words. */
export const quote = (text: string) => ({
  pricingAvailable: true as const,
  estimatedCost: 175,
  deviceQrn: text,
  shots: 1000,
  breakdown: { task: 30, shots: 145, time: 0 },
  basis: text,
});

/** Every form, with one text in each place that comes from outside. */
export function everyForm(text: string): { [name: string]: Form } {
  const outsideDevice = device({
    qrn: text,
    name: text,
    vendor: text,
    providerId: text,
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
  const record = { ...calibration(3, [[0, 1, 0.02]], text), lastCalibrated: text };
  const outsideGroup = group({
    groupJobQrn: text,
    name: text,
    status: text as "OPEN",
    tags: { [text]: text },
    createdAt: text,
  });
  return {
    deviceTable: deviceTable([outsideDevice], { calibrations: new Map([[text, record]]) }),
    deviceCard: deviceCard(outsideDevice, { now, calibration: record, map: drawing }),
    groupTable: groupTable([outsideGroup], { now }),
    groupCard: groupCard(outsideGroup, { now, failures: [outsideJob] }),
    jobsProgress: jobsProgressView({ title: text, counts, elapsedMs: 10, failures: [outsideJob] }),
    balanceCard: balanceCard({ organizationId: text, svcCredits: 3, awsCredits: 0, autoRecharge: false }),
    pricingTable: pricingTable({
      usdPerCredit: 0.01,
      currency: text,
      minimumPurchase: 10,
      packs: [{ credits: 0, price: 0 }],
    }),
    usageTable: usageTable(
      [{ deviceQrn: text, tier: text, dailyLimit: 0, used: 1, remaining: null, resetsAt: text }],
      { now },
    ),
    usageSeriesTable: usageSeriesTable([{ date: text, count: 3 }]),
    summaryCard: summaryCard({
      total: 6,
      statuses: counts,
      experimentTypes: { [text]: 1 },
      deviceTypes: { [text]: 1 },
      cost: { total: 1, average: 0.1 },
      shots: { total: 10, average: 1 },
    }),
    jobTable: jobTable([outsideJob], { now }),
    jobCard: jobCard(outsideJob, { now }),
    failedJobCard: jobCard({ ...outsideJob, status: "FAILED" }, { now }),
    quoteCard: quoteCard(quote(text)),
    noQuoteCard: quoteCard({ pricingAvailable: false, reason: text, deviceQrn: text, pricingModel: text }),
    runCard: runCard({ drawing, device: text, shots: 10, name: text, problem: text }),
    failedQuote: runCard({ shots: 10, quote: { state: "failed", reason: text } }),
    progress: progressView({ title: text, status: text, elapsedMs: 10, fraction: 0.3, queuePosition: 2 }),
    table: table({ caption: text, columns: [{ label: text, value: () => text }], rows: [1] }),
  };
}
