import type { RuntimeDevice } from "../../contract/device.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import type { Program } from "../../contract/program.ts";
import type { RuntimeResult } from "../../contract/result.ts";
import { isTerminalJob } from "../../contract/status.ts";

/** The name that version 1 has for a device: the parts of its resource name joined by underscores. */
export const legacyDeviceId = (qrn: string) => qrn.replaceAll(":", "_");

/** Converts a device to the form of version 1. */
export function toLegacyDevice(device: RuntimeDevice, vendorCode: string): object {
  const { qrn, deviceType, providerId, name, vendor, status, numberQubits, description, queueDepth } = device;
  return {
    [`${vendorCode}DeviceId`]: legacyDeviceId(qrn),
    name,
    vendor,
    provider: providerId,
    type: deviceType,
    status,
    statusMsg: device.statusMsg,
    numberQubits,
    description,
    queueDepth,
    pricing: device.pricing,
  };
}

/** Sources of a version 1 job. */
export interface LegacyJobParts {
  job: RuntimeJob;
  /** The service's vendor code, with which the fields of identifiers begin. */
  vendor: string;
  program: Program | undefined;
  results: RuntimeResult[];
  queueDepth: number;
}

/** Converts a job to the form of version 1. */
export function toLegacyJob({ job, vendor, program, results, queueDepth }: LegacyJobParts): object {
  const { metadata, runtimeOptions } = job;
  return {
    _id: job.jobQrn,
    [`${vendor}JobId`]: job.jobQrn,
    [`${vendor}DeviceId`]: legacyDeviceId(job.deviceQrn),
    vendor: job.vendor,
    provider: job.provider,
    status: job.status,
    statusText: job.statusMsg,
    shots: job.shots,
    tags: job.tags,
    openQasm: program?.data ?? null,
    circuitNumQubits: runtimeOptions.circuitNumQubits ?? metadata.circuitNumQubits ?? null,
    circuitDepth: metadata.circuitDepth ?? null,
    queuePosition: job.queuePosition,
    queueDepth,
    escrow: isTerminalJob(job.status) ? 0 : job.estimatedCost,
    cost: job.cost,
    measurementCounts: countsOf(results),
    timeStamps: job.timeStamps,
  };
}

/** The counts of one program, or of each of several. */
function countsOf(results: RuntimeResult[]) {
  const counts = results.map(result => result.resultData.measurementCounts);
  return counts.length > 1 ? counts : (counts[0] ?? null);
}
