import { KetbookError } from "../../client/errors.ts";
import type { Tags } from "../../contract/job.ts";
import { describeValue as describe } from "../../contract/options.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import { PendingDevice } from "../devices/device.ts";
import { Group, PendingGroup } from "../groups/group.ts";
import { QasmProgram } from "../programs/program.ts";

/** A value in a few characters, for an error that refuses it. */
export function describeValue(value: unknown): string {
  if (typeof Object(value).then === "function") return "a promise (is an await missing?)";
  return describe(value);
}

const isName = (value: unknown) => typeof value === "string" && value.trim() !== "";

/** Checks that a device is one, or the name of one. Throws a `KetbookError`. */
export function checkDevice<T>(device: T): T {
  const isDevice = typeof Object(device).qrn === "string" || device instanceof PendingDevice;
  if (isDevice || isName(device)) return device;
  throw new KetbookError(`on(${describeValue(device)}): give one of devices(), or a name such as "perth".`);
}

/** Checks that a group is one, or the resource name of one. Throws a `KetbookError`. */
export function checkGroup<T>(group: T): T {
  if (group instanceof Group || group instanceof PendingGroup || isName(group)) return group;
  throw new KetbookError(
    `in(${describeValue(group)}): give a group, or its resource name such as "group:…".`,
  );
}

/** Checks that tags are given by key. Throws a `KetbookError`. */
export function checkTags(tags: Tags): Tags {
  if (typeof tags === "object" && tags !== null && !Array.isArray(tags)) return tags;
  throw new KetbookError(`tagged(${describeValue(tags)}): give tags by key, such as { course: "qc-1" }.`);
}

/** Converts what a caller passed into a program. Throws a `KetbookError` for what is none. */
export function toProgram(given: string | RecordedProgram): RecordedProgram {
  const { format, data } = typeof given === "string" ? { format: "", data: given } : Object(given);
  const isData = typeof data === "object" && data !== null && format !== "";
  if (typeof format === "string" && (isName(data) || isData)) return QasmProgram.of(given).toJSON();
  const what = data === "" ? "an empty string" : describeValue(given);
  throw new KetbookError(`run: ${what} is not a program. Give OpenQASM text or a qasm\`…\` program.`);
}
