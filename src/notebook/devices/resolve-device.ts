import { type CallOptions, type Client, KetbookError } from "../../client/index.ts";
import { LIMITS, nearestName, type RuntimeDevice } from "../../contract/index.ts";

/**
 * A name of a device: a short one that only one device of the service has, or a whole resource name. An editor offers
 * the short names of Ketbook's own service.
 */
export type DeviceName =
  | "statevector"
  | "sparse"
  | "stabilizer"
  | "noisy"
  | "density"
  | "tensor"
  | "automatic"
  | "statevector-v1"
  | "perth"
  | "auckland"
  | "brisbane"
  | "garnet"
  | "forte"
  | (string & Record<never, never>);

const maxCandidates = 12;

export class DeviceNames {
  readonly #client: Client;
  readonly #defaultName: () => string | undefined;
  readonly #known = new Map<string, string>();

  constructor(client: Client, defaultName: () => string | undefined) {
    this.#client = client;
    this.#defaultName = defaultName;
  }

  /** Finds the resource name of a device; of the connection's default device when none is named. */
  async resolve(
    given: RuntimeDevice | PromiseLike<RuntimeDevice> | string | undefined,
    options?: CallOptions,
  ): Promise<string> {
    const device = await given;
    if (typeof device === "object") return device.qrn;
    const name = device ?? this.#defaultName();
    if (name?.includes(":")) return name;
    const qrn = this.#known.get(name ?? "") ?? (await this.#find(name, options));
    this.#known.set(name ?? "", qrn);
    return qrn;
  }

  /** Checks that some device has a name. Where the devices can't be listed, every name may be one. */
  async requireKnown(name: string, options?: CallOptions): Promise<void> {
    const all = await this.#list(options).catch(() => undefined);
    if (all && !all.some(({ qrn }) => isNamed(qrn, name))) throw unknownDevice(name, all);
  }

  async #list(options?: CallOptions): Promise<RuntimeDevice[]> {
    const all: RuntimeDevice[] = [];
    for await (const device of this.#client.devices.list({ limit: LIMITS.maxPageSize }, options))
      all.push(device);
    return all;
  }

  async #find(name: string | undefined, options?: CallOptions): Promise<string> {
    const all = await this.#list(options);
    if (name === undefined)
      throw new KetbookError(
        `No device is named, and this connection has no default. Add .on("…"), or give the connection a \`device\`. ${candidates(all)}`,
      );
    const isMeant = (device: RuntimeDevice) => device.name?.toLowerCase() === name.toLowerCase();
    const found = all.filter(device => isMeant(device) || isNamed(device.qrn, name));
    const [only] = found;
    if (!only) throw unknownDevice(name, all);
    if (found.length === 1) return only.qrn;
    throw new KetbookError(
      `Several devices are called ${JSON.stringify(name)}. Give a whole name: ${found.map(({ qrn }) => qrn).join(", ")}.`,
    );
  }
}

/** Whether a resource name is this name, or ends with it, in any case of letters. */
export const isNamed = (qrn: string, name: string) =>
  `:${qrn}`.toLowerCase().endsWith(`:${name.toLowerCase()}`);

function unknownDevice(name: string, all: readonly RuntimeDevice[]): KetbookError {
  return new KetbookError(
    `${JSON.stringify(name.slice(0, 80))}: no device has that name.${suggestion(name, all)} ${candidates(all)}`,
  );
}

const shortName = ({ qrn }: RuntimeDevice) => qrn.split(":").at(-1)!;

/** Suggests the device whose short name is part of a name such as `ibm_perth`, or the nearest. */
function suggestion(name: string, devices: readonly RuntimeDevice[]): string {
  const names = devices.map(shortName);
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const nearest = names.find(each => words.includes(each)) ?? nearestName(name.split(":").at(-1)!, names);
  return nearest ? ` Did you mean ${JSON.stringify(nearest)}?` : "";
}

const isQpu = ({ deviceType }: RuntimeDevice) => deviceType === "QPU";

function candidates(devices: readonly RuntimeDevice[]): string {
  const simulatorsFirst = devices.toSorted((a, b) => Number(isQpu(a)) - Number(isQpu(b)));
  const names = Map.groupBy(simulatorsFirst, shortName);
  const online = simulatorsFirst
    .filter(({ status }) => status === "ONLINE")
    .map(device => (names.get(shortName(device))!.length > 1 ? device.qrn : shortName(device)));
  const shown = online.slice(0, maxCandidates).join(", ");
  const more = online.length > maxCandidates ? ` and ${online.length - maxCandidates} more in devices()` : "";
  return online.length > 0 ? `Online now: ${shown}${more}.` : "Look at devices().";
}
