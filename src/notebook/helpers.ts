import type { KetbookOptions } from "./connection.ts";
import { defaultInstance, setDefaultInstance } from "./default-instance.ts";
import type { Device } from "./device.ts";
import type { Group, GroupOptions, PendingGroup } from "./group.ts";
import { Ketbook } from "./ketbook.ts";

/**
 * Points the helpers of this notebook to a service, from now on; what was made before stays with the service that it
 * is from. Without it, the environment is asked (`KETBOOK_URL`, `KETBOOK_API_KEY`), then `config.json` in the data
 * folder; otherwise Ketbook runs the service on this computer. Answers the new default instance.
 *
 * ```ts
 * connect({ url: "https://quantum.example/api/v1", apiKey: "…" });
 * ```
 *
 * @throws KetbookError when the address is not one, or the key is missing.
 */
export function connect(to: KetbookOptions | Ketbook = {}): Ketbook {
  const instance = to instanceof Ketbook ? to : new Ketbook(to);
  setDefaultInstance(instance);
  return instance;
}

/** Looks up a device by its resource name, or by a short one that only one device has: `await device("perth")`. */
export const device: Ketbook["device"] = (...args) => defaultInstance().device(...args);

/** Asks for the devices of the service. Retired ones are left out unless `retired: true` asks for them. */
export const devices: Ketbook["devices"] = (...args) => defaultInstance().devices(...args);

/**
 * Prepares a run of a program, or a batch of up to 2000 in one job, whose results come in the same order:
 * `await run(bell).on("svc:svc:sim:statevector").shots(1000)`.
 */
export const run: Ketbook["run"] = (given: never) => defaultInstance().run(given) as never;

/**
 * Prepares a batch of one program with `input` variables, one run for each set of values:
 * `await sweep(ansatz, [{ theta: 0 }, { theta: 0.1 }])`.
 *
 * @throws KetbookError when a set of values has another name than the program, or lacks one.
 */
export const sweep: Ketbook["sweep"] = (...args) => defaultInstance().sweep(...args);

/** Looks up a job by its resource name. */
export const job: Ketbook["job"] = (...args) => defaultInstance().job(...args);

/** Asks for your jobs, the newest first: 50 of them when awaited, all of them with `for await`. */
export const jobs: Ketbook["jobs"] = (...args) => defaultInstance().jobs(...args);

/** Looks up a group by its resource name. */
export function group(qrn: string): PendingGroup;
/** @deprecated Use `createGroup`. */
export function group(options?: GroupOptions): PendingGroup;
/** @deprecated Use `createGroup`. */
export function group<T>(options: GroupOptions, body: (group: Group) => T | Promise<T>): Promise<T>;
export function group<T>(given: string | GroupOptions = {}, body?: (group: Group) => T | Promise<T>) {
  if (typeof given === "string") return defaultInstance().group(given);
  return body ? createGroup(given, body) : createGroup(given);
}

/** Makes a group; close it yourself, or declare it with `await using`. With a function, the group closes at its end. */
export const createGroup: Ketbook["createGroup"] = <T>(
  options?: GroupOptions,
  body?: (group: Group) => T | Promise<T>,
) => defaultInstance().createGroup(options as GroupOptions, body as never) as never;

/** Asks for your groups, the newest first: 50 of them when awaited, all of them with `for await`. */
export const groups: Ketbook["groups"] = (...args) => defaultInstance().groups(...args);

/** Asks what your organization may spend. */
export const credits: Ketbook["credits"] = (...args) => defaultInstance().credits(...args);

/** Asks what credits cost. */
export const pricing: Ketbook["pricing"] = (...args) => defaultInstance().pricing(...args);

/** Asks how much of each simulator's daily quota is used up; or of one simulator, how many jobs completed day by day. */
export const usage: Ketbook["usage"] = (simulator?: Device | string) =>
  defaultInstance().usage(simulator as Device) as never;
