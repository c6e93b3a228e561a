import { KetbookError } from "../../client/index.ts";
import { describeValue, type JobRequest, type RecordedProgram } from "../../contract/index.ts";
import { compile, ProgramError } from "../../simulation/index.ts";
import { type Device, PendingDevice } from "../devices/device.ts";
import type { Inputs } from "../programs/inputs.ts";
import { QasmProgram } from "../programs/program.ts";
import { sourceOf } from "../programs/program-figures.ts";
import type { Session } from "../session.ts";
import { CompileError } from "./failure.ts";

export const DEFAULT_SHOTS = 1000;

export type RunRequest = Omit<JobRequest, "deviceQrn">;

/** A group that takes jobs, made or being made. */
export interface RunGroup {
  /** Resource name of the group. */
  readonly qrn: string | Promise<string>;
  /** Lets no more jobs in; those that are in continue. */
  close(): Promise<unknown>;
}

export interface RunSettings extends Omit<JobRequest, "deviceQrn" | "program" | "groupJobQrn"> {
  /** Missing: the connection's default. */
  device?: Device | PendingDevice | string;
  group?: RunGroup | string;
  programs: readonly [RecordedProgram, ...RecordedProgram[]];
  /** Whether several programs were given, be it only one of them. */
  batch: boolean;
  inputs?: Inputs;
  maxCost?: number;
}

export const isName = (value: unknown) => typeof value === "string" && value.trim() !== "";

export function checkDevice<T>(device: T): T {
  const isDevice = typeof Object(device).qrn === "string" || device instanceof PendingDevice;
  if (isDevice || isName(device)) return device;
  throw new KetbookError(`on(${describeValue(device)}): give one of devices(), or a name such as "perth".`);
}

export function checkMaxCost(credits: number): number {
  if (typeof credits === "number" && credits >= 0) return credits;
  throw new KetbookError(
    `maxCost(${describeValue(credits)}): the limit must be a number of credits, 0 or more.`,
  );
}

export function toProgram(given: string | RecordedProgram): RecordedProgram {
  const program = QasmProgram.of(given).toJSON();
  const { format, data } = program;
  if (isName(data) || (typeof data === "object" && data !== null && format !== "")) return program;
  throw new KetbookError("An empty string is not a program. Give OpenQASM text or a qasm`…` program.");
}

/** Maximum characters of all programs that are compiled before they are submitted; the service checks longer ones. */
const MAX_LENGTH = 200_000;

/** Compiles the programs for this computer's service, where it can. Throws a `CompileError` for the first that fails. */
export function checkLocally(session: Session, { program, runtimeOptions }: RunRequest): void {
  if (!session.isLocal) return;
  const programs = [program].flat() as RecordedProgram[];
  const inputs: Inputs = Object(runtimeOptions).inputs ?? {};
  let length = 0;
  programs.forEach((given, index) => {
    const source = sourceOf(given);
    length += source?.data.length ?? 0;
    if (!source || length > MAX_LENGTH) return;
    try {
      compile(source, { inputs });
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const reason = programs.length > 1 ? `program ${index}: ${error.message}` : error.message;
      throw new CompileError(reason, programs, error);
    }
  });
}
