import {
  type DeviceCalibration,
  isKnownTopology,
  type RuntimeDevice,
  type Topology,
} from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { median, medianPairError, oneQubitGate, pairErrors, qubitFigures } from "./calibration.ts";
import { type Cell, card, code, type Fact, html, meter, paragraph, stacked } from "./cell.ts";
import { formatCount, formatDuration, formatMoment, formatNumber, formatPercent } from "./format.ts";
import type { TimeReference } from "./job.ts";
import { errorColor, errorShare, faint, figures } from "./palette.ts";
import { type Drawing, picture } from "./run.ts";
import { statusCell } from "./status.ts";
import { type TableRemarks, table } from "./table.ts";
import { clip, clipMiddle, dotted, present } from "./text.ts";

/** The parts of a price that are not 0, in words; `unit` follows each number. Empty if unknown. */
function priceParts({ pricing, pricingModel }: RuntimeDevice, unit: string): string[] {
  if (pricingModel === "dynamic") return ["dynamic"];
  if (pricing === null) return [];
  const parts = [
    [pricing.perTask, "task"],
    [pricing.perShot, "shot"],
    [pricing.perMinute, "min"],
  ] as const;
  if (parts.every(([amount]) => amount === null)) return [];
  const charged = parts.filter(([amount]) => amount !== 0);
  if (charged.length === 0) return ["free"];
  return charged.map(([amount, per]) => `${amount === null ? "?" : formatNumber(amount)}${unit}/${per}`);
}

function topologyText(topology: Topology): string {
  if (!isKnownTopology(topology)) return clip(topology.type, 60);
  switch (topology.type) {
    case "fully-connected":
      return "all to all";
    case "square-lattice":
      return `${formatNumber(topology.rows)} × ${formatNumber(topology.cols)} square lattice`;
    case "coupling-map":
      return `coupling map, ${formatNumber(topology.edges.length)} edges`;
  }
}

const kindOf = (device: RuntimeDevice) =>
  device.deviceType === "SIMULATOR" ? "simulator" : device.deviceType;

function queueCell({ queueDepth, status }: RuntimeDevice): Cell {
  if (status !== "ONLINE") return statusCell(status);
  return queueDepth === null ? null : formatNumber(queueDepth);
}

function errorCell(calibration: DeviceCalibration | undefined): Cell {
  const error = calibration ? medianPairError(calibration) : null;
  if (error === null) return null;
  const label = formatPercent(error);
  const share = errorShare(error);
  return {
    html: html`<span style="display:inline-block;min-width:52px">${label}</span><span style="display:inline-block;width:66px;vertical-align:middle;background-image:linear-gradient(transparent 4px,${faint} 4px,${faint} 5px,transparent 5px)"><span style="display:block;width:8px;height:8px;margin:0 0 0 ${Math.round(share * 56)}px;border:1px solid ${figures.light.casing};border-radius:5px;background-color:${errorColor(error)}"></span></span>`,
    text: meter(share, { label }).text,
  };
}

/** Shows devices. With calibrations by QRN, the table has a column of median two-qubit errors. */
export function deviceTable(
  devices: readonly RuntimeDevice[],
  { calibrations, ...remarks }: TableRemarks & { calibrations?: ReadonlyMap<string, DeviceCalibration> } = {},
): RenderedView {
  return table<RuntimeDevice>({
    noun: "devices",
    rows: devices,
    ...remarks,
    columns: [
      {
        label: "Device",
        value: device => stacked([clip(device.name, 48), code(clipMiddle(device.qrn, 60))], " · "),
      },
      { label: "Qubits", align: "right", value: device => formatNumber(device.numberQubits) },
      calibrations !== undefined &&
        calibrations.size > 0 && {
          label: "Two-qubit error",
          value: device => errorCell(calibrations.get(device.qrn)),
        },
      { label: "Price (credits)", value: device => stacked(priceParts(device, ""), " + ") },
      { label: "Queue", align: "right", value: queueCell },
      {
        label: "Vendor",
        isMinor: true,
        value: device => stacked([clip(device.vendor, 24), kindOf(device)], " · "),
      },
    ],
  });
}

/** The usual errors of a device: `ecr 0.77 %, readout 2.0 %, sx 0.024 % (medians)`. */
function errorsText(calibration: DeviceCalibration): string | null {
  const figures = [...qubitFigures(calibration).values()];
  const { gate } = pairErrors(calibration);
  const single = oneQubitGate(calibration);
  const middle = (values: (number | null | undefined)[]) => median(values.map(value => value ?? Number.NaN));
  const medians = [
    [gate ?? "two-qubit gates", medianPairError(calibration)],
    ["readout", middle(figures.map(({ readoutError }) => readoutError))],
    [single ?? "one-qubit gates", single && middle(figures.map(({ gateError }) => gateError[single]))],
  ] as const;
  const words = medians.map(
    ([name, error]) => `${clip(name, 24)} ${typeof error === "number" ? formatPercent(error) : "unknown"}`,
  );
  return medians.some(([, error]) => typeof error === "number") ? `${words.join(", ")} (medians)` : null;
}

export function deviceCard(
  device: RuntimeDevice,
  {
    now,
    calibration,
    map,
  }: TimeReference & { calibration?: DeviceCalibration | undefined; map?: Drawing | undefined },
): RenderedView {
  const { minShots, maxShots, topology, statusMsg, avgQueueTime } = device;
  const facts = present<Fact>([
    ["QRN", code(device.qrn)],
    ["Vendor", dotted(...new Set([device.vendor, device.providerId]))],
    ["Kind", dotted(kindOf(device), device.paradigm?.replaceAll("_", " "), device.modality)],
    ["Qubits", formatNumber(device.numberQubits)],
    topology !== null && ["Topology", topologyText(topology)],
    calibration !== undefined && ["Errors", errorsText(calibration)],
    calibration !== undefined && ["Calibrated", formatMoment(calibration.lastCalibrated, now)],
    ["Price", priceParts(device, " credits").join(" + ")],
    (minShots !== null || maxShots !== null) && [
      "Shots",
      `${formatNumber(minShots)} to ${formatNumber(maxShots)}`,
    ],
    ["Programs", list(device.runInputTypes)],
    device.noiseModels.length > 0 && ["Noise models", list(device.noiseModels)],
    ["Queue", queue(device.queueDepth, avgQueueTime)],
    device.nextAvailable !== null && ["Next available", formatMoment(device.nextAvailable, now)],
    Boolean(statusMsg) && ["Message", paragraph(statusMsg ?? "", 500)],
  ]);
  return card({
    kind: "device",
    title: clip(device.name, 120),
    badge: statusCell(device.status),
    blocks: [map && { ...picture(map, "Coupling map coloured by error"), text: "" }],
    facts,
    note: [device.description, device.notes].filter(Boolean).map(String).join("\n") || undefined,
  });
}

function list(words: readonly string[]): Cell {
  const shown = words.slice(0, 20).map(word => clip(word, 40));
  return [...shown, ...(words.length > 20 ? [`+${words.length - 20} more`] : [])].join(", ");
}

function queue(depth: number | null, averageWait: number | null): Cell {
  const jobs = depth === null ? null : formatCount(depth, "jobs");
  const wait = averageWait === null ? null : `${formatDuration(averageWait * 60_000)} on average`;
  return [jobs, wait].filter(Boolean).join(", ");
}
