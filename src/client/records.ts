import {
  type DeviceCalibration,
  isKnownTopology,
  isRecord,
  type JobGroup,
  LIMITS,
  type NoQuote,
  type Quote,
  type QuoteRequest,
  type Reader,
  type RecordedProgram,
  RUN_TAG,
  type RuntimeDevice,
  type RuntimeJob,
  recordReader,
  SCHEMAS,
  ShapeError,
  type Topology,
} from "../contract/index.ts";

/** A record of a list that could not be read: it is not an object, or lacks its identifier. */
export interface UnreadRecord {
  /** Its place in the page, from 0. */
  index: number;
  /** Description of the problem, such as `jobQrn should be a string, and is missing`. */
  problem: string;
  /** The record as the service sent it. */
  value: unknown;
}

/** Records of a list, and those that could not be read. */
export interface Rows<T> {
  /** Those that were read, in the order of the service. */
  rows: T[];
  /** Those that could not be read. */
  unread: UnreadRecord[];
}

/** Makes the reader of a list, in which one record that cannot be read does not keep the others from being read. */
export function rowsReader<T>(readRow: Reader<T>): Reader<Rows<T>> {
  return list => {
    if (!Array.isArray(list)) throw new ShapeError("a list", list);
    const rows: T[] = [];
    const unread: UnreadRecord[] = [];
    for (const [index, value] of list.entries()) {
      try {
        rows.push(readRow(value));
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        unread.push({ index, problem: error.message, value });
      }
    }
    return { rows, unread };
  };
}

/**
 * Makes the reader of a list that is an array, with those that could not be read in `unread`.
 *
 * @param blank - Makes the placeholder of a record that could not be read. Default: none.
 */
export function listReader<T>(
  readRow: Reader<T>,
  blank?: (index: number) => T,
): Reader<T[] & Pick<Rows<T>, "unread">> {
  const readRows = rowsReader(readRow);
  return list => {
    const { rows, unread } = readRows(list);
    if (blank) for (const { index } of unread) rows.splice(index, 0, blank(index));
    return Object.assign(rows, { unread });
  };
}

/** The programs of a batch in order. Those that could not be read are empty, and in `unread`. */
export type RecordedPrograms = RecordedProgram[] & Pick<Rows<RecordedProgram>, "unread">;

const UNKNOWN = { status: "UNKNOWN" };

const runs = new WeakMap<object, unknown>();

/** The idempotency key that a job or group was submitted with, by a tag that its record does not show. */
export const runOf = (record: object): unknown => runs.get(record);

/** Makes a reader that takes the tag of the submission out of a record. */
function submittedReader<T extends { tags: object }>(read: Reader<T>): Reader<T> {
  return value => {
    const record = read(value);
    const { tags } = record as { tags: { [key: string]: unknown } };
    if (!Object.hasOwn(tags, RUN_TAG)) return record;
    runs.set(record, tags[RUN_TAG]);
    delete tags[RUN_TAG];
    return record;
  };
}

export const readJob = submittedReader(
  recordReader<RuntimeJob>(SCHEMAS.RuntimeJob, { required: ["jobQrn"], defaults: UNKNOWN }),
);

export const readGroup = submittedReader(
  recordReader<JobGroup>(SCHEMAS.JobGroup, { required: ["groupJobQrn"], defaults: UNKNOWN }),
);

const readDeviceRecord = recordReader<RuntimeDevice>(SCHEMAS.RuntimeDevice, {
  required: ["qrn"],
  defaults: UNKNOWN,
});

/** Reads a device: its QRN is required. A topology of an undocumented kind stays as it is. */
export const readDevice: Reader<RuntimeDevice> = value => {
  const topology = isRecord(value) && isRecord(value.topology) ? value.topology : undefined;
  const device = readDeviceRecord(value);
  const isOther = typeof topology?.type === "string" && !isKnownTopology(topology as Topology);
  if (isOther) device.topology = topology as Topology;
  return device;
};

const readFigures = recordReader<DeviceCalibration>(SCHEMAS.DeviceCalibration);

/** Makes the reader of a device's calibration, which may go under several names, or none. */
export function calibrationReader(requestedQrn: string): Reader<DeviceCalibration> {
  return value => {
    if (isRecord(value) && isRecord(value.edges))
      for (const gates of Object.values(value.edges)) if (isRecord(gates)) keepWholeFigures(gates);
    const calibration = readFigures(value);
    const { deviceQRNs } = calibration as { deviceQRNs?: unknown };
    const names = Array.isArray(deviceQRNs) ? deviceQRNs.filter(name => typeof name === "string") : [];
    if (names.length > 0) calibration.deviceQRNs = names;
    else delete calibration.deviceQRNs;
    calibration.deviceQrn ||= names[0] ?? requestedQrn;
    return calibration;
  };
}

function keepWholeFigures(gates: Record<string, unknown>): void {
  for (const [gate, figures] of Object.entries(gates))
    if (Array.isArray(figures))
      gates[gate] = figures.filter(
        figure =>
          isRecord(figure) && [figure.source, figure.target, figure.value].every(value => value != null),
      );
}

const readFormat = recordReader<RecordedProgram>(SCHEMAS.Program, { unread: ["data"] });
const readText = recordReader<RecordedProgram>(SCHEMAS.Program, { required: ["data"] });

/** Reads a program. The data of one that is not a string, such as a sequence of pulses, stays as it is. */
const readProgram: Reader<RecordedProgram> = value => {
  const isText = !isRecord(value) || typeof value.data !== "object" || value.data === null;
  return isText ? readText(value) : readFormat(value);
};

const readProgramList = listReader(readProgram, () => ({ format: "unknown", data: "" }));

/** Reads a program, or those of a batch, each in its place: one that cannot be read is empty. */
export const readPrograms: Reader<RecordedProgram | RecordedPrograms> = value =>
  Array.isArray(value) ? readProgramList(value) : readProgram(value);

const [priced = {}, unpriced = {}] = SCHEMAS.Quote.oneOf ?? [];
const readPriced = recordReader<Quote>(priced, {
  required: ["estimatedCost"],
  defaults: { breakdown: null, basis: null },
});
const readUnpriced = recordReader<NoQuote>(unpriced);

/** Makes the reader of a quote. A service that says nothing of programs quoted one. */
export function quoteReader(request: QuoteRequest): Reader<Quote | NoQuote> {
  return value => {
    const isPriced = isRecord(value) && value.pricingAvailable !== false && value.estimatedCost != null;
    const quote = isPriced ? readPriced(value) : readUnpriced(value);
    quote.pricingAvailable = isPriced;
    quote.deviceQrn ||= request.deviceQrn;
    if (quote.pricingAvailable) {
      quote.shots ??= request.shots ?? LIMITS.defaultQuotedShots;
      quote.programs ??= 1;
    }
    return quote;
  };
}
