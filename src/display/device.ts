import type { RuntimeDevice, Topology } from "../contract/device.ts";
import { card, type Fact } from "./card.ts";
import { type Cell, code, paragraph } from "./cell.ts";
import type { Form } from "./form.ts";
import { formatDuration, formatMoment, formatNumber } from "./format.ts";
import type { At } from "./job.ts";
import { statusCell } from "./status.ts";
import { table } from "./table.ts";
import { clip, clipMiddle } from "./text.ts";

/** The parts of a price that are not 0, in words; `unit` follows each number. */
function priceText({ pricing, pricingModel }: RuntimeDevice, unit: string): string | null {
  if (pricingModel === "dynamic") return "dynamic";
  if (pricing === null) return null;
  const parts = [
    [pricing.perTask, "task"],
    [pricing.perShot, "shot"],
    [pricing.perMinute, "min"],
  ] as const;
  const charged = parts.filter(([amount]) => amount > 0);
  return charged.map(([amount, per]) => `${formatNumber(amount)}${unit}/${per}`).join(" + ") || "free";
}

function topologyText(topology: Topology): string {
  switch (topology.type) {
    case "fully-connected":
      return "all to all";
    case "square-lattice":
      return `${formatNumber(topology.rows)} × ${formatNumber(topology.cols)} square lattice`;
    case "coupling-map":
      return `coupling map, ${formatNumber(topology.edges.length)} edges`;
    default:
      return clip(String((topology as { type: unknown }).type), 60);
  }
}

const kindOf = (device: RuntimeDevice) =>
  device.deviceType === "SIMULATOR" ? "simulator" : device.deviceType;

const queueText = (depth: number | null) => (depth === null ? null : formatNumber(depth));

/** Shows devices as a table, one a row. */
export function deviceTable(devices: readonly RuntimeDevice[], options: { limit?: number } = {}): Form {
  return table<RuntimeDevice>({
    noun: "devices",
    rows: devices,
    ...options,
    columns: [
      { label: "Device", value: device => clip(device.name, 48) },
      { label: "QRN", value: device => code(clipMiddle(device.qrn, 60)) },
      { label: "Vendor", value: device => clip(device.vendor, 24) },
      { label: "Type", value: kindOf },
      { label: "Qubits", align: "right", value: device => formatNumber(device.numberQubits) },
      { label: "Status", value: device => statusCell(device.status) },
      { label: "Queue", align: "right", value: device => queueText(device.queueDepth) },
      { label: "Price (credits)", value: device => priceText(device, "") },
    ],
  });
}

/** Shows one device: what it is, takes and charges. */
export function deviceCard(device: RuntimeDevice, { now }: At): Form {
  const { minShots, maxShots, topology, statusMsg, avgQueueTime } = device;
  const words: (string | null)[] = [
    kindOf(device),
    device.paradigm?.replaceAll("_", " ") ?? null,
    device.modality,
  ];
  const facts: (Fact | false)[] = [
    ["QRN", code(device.qrn)],
    ["Vendor", [...new Set([device.vendor, device.providerId])].filter(Boolean).join(" · ")],
    ["Kind", words.filter(Boolean).join(" · ")],
    ["Qubits", formatNumber(device.numberQubits)],
    topology !== null && ["Topology", topologyText(topology)],
    ["Price", priceText(device, " credits")],
    (minShots !== null || maxShots !== null) && [
      "Shots",
      `${formatNumber(minShots)} to ${formatNumber(maxShots)}`,
    ],
    ["Programs", list(device.runInputTypes)],
    device.noiseModels.length > 0 && ["Noise models", list(device.noiseModels)],
    ["Queue", queue(device.queueDepth, avgQueueTime)],
    device.nextAvailable !== null && ["Next available", formatMoment(device.nextAvailable, now)],
    Boolean(statusMsg) && ["Message", paragraph(statusMsg ?? "", 500)],
  ];
  return card({
    kind: "device",
    title: clip(device.name, 120),
    badge: statusCell(device.status),
    facts: facts.filter(fact => fact !== false),
    note:
      [device.description, device.notes]
        .filter(Boolean)
        .map(text => clip(String(text), 600))
        .join("\n") || undefined,
  });
}

function list(words: readonly string[]): Cell {
  const shown = words.slice(0, 20).map(word => clip(word, 40));
  return [...shown, ...(words.length > 20 ? [`+${words.length - 20} more`] : [])].join(", ");
}

function queue(depth: number | null, averageWait: number | null): Cell {
  const jobs = depth === null ? null : `${formatNumber(depth)} ${depth === 1 ? "job" : "jobs"}`;
  const wait = averageWait === null ? null : `${formatDuration(averageWait)} on average`;
  return [jobs, wait].filter(Boolean).join(", ");
}
