import { describe, expect, test } from "vitest";
import {
  balanceCard,
  deviceCard,
  deviceTable,
  groupCard,
  jobCard,
  jobsProgressView,
  pricingTable,
  quoteCard,
  runCard,
} from "../../src/display/index.ts";
import { calibration } from "../charts/calibrations.ts";
import { quote } from "./every-form.ts";
import { device, group, job, now } from "./records.ts";

describe("the job card", () => {
  test("tells how long each step took once the job is over", () => {
    expect(jobCard(job(), { now }).text).toContain(
      "✓ queued (1.3 s) → ✓ running (12 ms) → ✓ done (10:27:04)",
    );
  });

  test("tells the place in the queue while the job waits", () => {
    const waiting = job({ status: "QUEUED", queuePosition: 3, cost: null });
    expect(jobCard(waiting, { now }).text).toContain("▸ queued (position 3) → ○ running");
    expect(jobCard(waiting, { now }).text).toContain("0.375 credits (estimate)");
  });

  test("says what a matrix product state left out, where it did", () => {
    const leaving = (estimatedFidelity: number) =>
      jobCard(job({ metadata: { method: "matrix product state", estimatedFidelity } }), { now }).text;
    expect(leaving(0.00012345)).toMatch(/Estimated fidelity +0\.00012/);
    expect(leaving(0.93123)).toMatch(/Estimated fidelity +0\.93/);
    expect(leaving(0.999996)).toMatch(/Estimated fidelity +0\.999996/);
    expect(leaving(1)).not.toContain("fidelity");
  });

  test("says why a job failed, and that it never ran", () => {
    const { text } = jobCard(
      job({
        status: "FAILED",
        statusMsg: '3:7: unknown gate "hh"',
        timeStamps: {
          createdAt: "2026-11-21T10:27:03Z",
          endedAt: "2026-11-21T10:27:04Z",
          executionDuration: null,
        },
      }),
      { now },
    );
    expect(text).toContain("– running → ✗ failed");
    expect(text).toContain('3:7: unknown gate "hh"');
  });

  test("keeps the lines of what a compiler says, below each other", () => {
    const failed = job({ status: "FAILED", statusMsg: "1:1: no version\n3:7: unknown gate", tags: {} });
    expect(jobCard(failed, { now }).text).toContain(
      "  Message  1:1: no version\n           3:7: unknown gate",
    );
    expect(jobCard(failed, { now }).html).toContain("1:1: no version\n3:7: unknown gate");
  });

  test("counts the programs of a batch", () => {
    expect(jobCard(job({ numCircuits: 12 }), { now }).text).toMatch(/^batch: [\s\S]*1,000 × 12 programs/);
  });
});

describe("prices", () => {
  test.each([
    [
      { pricingModel: "fixed", pricing: { perTask: 30, perShot: 0.145, perMinute: 0 } },
      "30/task + 0.145/shot",
    ],
    [{ pricingModel: "fixed", pricing: { perTask: 0, perShot: 0, perMinute: 0 } }, "free"],
    [{ pricingModel: "dynamic", pricing: null }, "dynamic"],
  ])("%o read %s", (prices, text) => expect(deviceTable([device(prices)]).text).toContain(text));

  test("a quote is called an estimate and shows its items", () => {
    const { text } = quoteCard(quote("garnet"));
    expect(text).toMatch(
      /175 credits \(estimate\)[\s\S]*Task +30\n +1,000 shots +145\n[\s\S]*Total \(estimate\) +175/,
    );
    expect(runCard({ shots: 1000, quote: { state: "known", quote: quote("garnet") } }).text).toContain(
      "(estimate)",
    );
  });
});

describe("the card of a prepared run", () => {
  const drawing = { svg: "<svg xmlns='http://www.w3.org/2000/svg'/>", text: "q: ─[H]─" };

  test("shows the circuit as a picture element and as text", () => {
    const { html, text } = runCard({ drawing, device: "svc:svc:sim:statevector", shots: 10 });
    expect(html).toContain(
      `<img src="data:image/svg+xml;base64,${Buffer.from(drawing.svg).toString("base64")}"`,
    );
    expect(text).toContain("q: ─[H]─");
  });

  test("keeps the whole of a large picture", () => {
    const large = { ...drawing, svg: `<svg>${"<g/>".repeat(20_000)}</svg>` };
    expect(runCard({ drawing: large, shots: 10 }).html).toContain(Buffer.from(large.svg).toString("base64"));
  });

  test("draws a circuit too large for a picture as text", () => {
    const { html } = runCard({ drawing: { ...drawing, svg: " ".repeat(500_000) }, shots: 10 });
    expect(html).not.toContain("<img");
    expect(html).toContain("q: ─[H]─");
  });
});

describe("many jobs", () => {
  const counts = { QUEUED: 23, FAILED: 1, COMPLETED: 14, RUNNING: 2 };

  test("stand in one bar, what is done first and what failed last", () => {
    expect(jobsProgressView({ title: "Sweep", counts, elapsedMs: 8300 }).line).toBe(
      "Sweep · 15 of 40 · 8.3 s · ████████▓░░░░░░░░░░░░░░× · ✓ 14 completed · ▸ 2 running · ◔ 23 queued · ✗ 1 failed",
    );
  });

  test("that failed are listed with their reasons", () => {
    const failures = Array.from({ length: 11 }, (_, index) =>
      job({ name: `run ${index}`, status: "FAILED", statusMsg: index === 0 ? "3:7: unknown gate" : null }),
    );
    const { text } = groupCard(group({ failedCount: 11 }), { now, failures });
    expect(text).toContain("✗ run 0: 3:7: unknown gate");
    expect(text).toContain("✗ run 1: no reason given");
    expect(text).toContain("+ 3 more failed");
  });

  test("that a group says nothing of are under way", () => {
    expect(groupCard(group(), { now }).text).toContain(
      "✓ 22 completed · ▸ 13 pending · ■ 3 cancelled · ✗ 2 failed",
    );
    expect(groupCard(group({ jobCount: 0 }), { now }).text).toContain("0 jobs");
  });
});

describe("credits", () => {
  const balance = { organizationId: "lab", svcCredits: 750, awsCredits: 0, autoRecharge: false };

  test("are a number, their worth, and what is left of the whole", () => {
    expect(balanceCard(balance).text).toMatch(/^balance: 750 credits\n +Worth +7\.50 USD/);
    expect(balanceCard(balance, { spent: 250 }).text).toContain("█████████░░░ left, 250 spent by your jobs");
  });

  test("are cheaper in larger packs", () => {
    const packs = [
      { credits: 1000, price: 10 },
      { credits: 12_000, price: 100 },
    ];
    const { text } = pricingTable({ usdPerCredit: 0.01, currency: "USD", minimumPurchase: 10, packs });
    expect(text).toMatch(/1,000 +10\.00 USD +—\n +12,000 +100\.00 USD +17 %/);
  });
});

test("the card of a device tells its usual errors and the age of its calibration", () => {
  const record = calibration(3, [
    [0, 1, 0.02],
    [1, 2, 0.004],
  ]);
  const { text, html } = deviceCard(device(), { now, calibration: record, map: { svg: "<svg/>", text: "" } });
  expect(text).toMatch(/Errors +cz 1\.2 %, readout 1\.1 %, sx 0\.030 % \(medians\)/);
  expect(text).toMatch(/Calibrated +2026-11-21 08:00:00 UTC \(2 h ago\)/);
  expect(html).toContain('alt="Coupling map coloured by error"');
});

test("the table of devices has a column of errors once a calibration is known", () => {
  const record = calibration(3, [[0, 1, 0.02]]);
  const devices = [device(), device({ qrn: record.deviceQrn })];
  expect(deviceTable(devices).text).not.toMatch(/Two-qubit|ONLINE/);
  expect(deviceTable([device({ status: "OFFLINE" })]).text).toContain("OFFLINE");
  const { text } = deviceTable(devices, { calibrations: new Map([[record.deviceQrn, record]]) });
  expect(text).toMatch(/Two-qubit error .*\n.*\n.* — .*\n.* 2\.0 % /);
});

test("a device's description is shown whole", () => {
  const description = `${"A long story of one machine. ".repeat(50)}The end.`;
  expect(deviceCard(device({ description }), { now }).text).toContain("The end.");
});
