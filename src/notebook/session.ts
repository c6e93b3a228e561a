import { type Client, openClient } from "../client/index.ts";
import {
  type Connection,
  checkConnection,
  type KetbookOptions,
  resolveConnection,
} from "./connection/connection.ts";
import { type Host, nodeHost } from "./connection/host.ts";
import { type CalibrationSource, calibrationSource } from "./devices/calibration-source.ts";
import { DeviceNames } from "./devices/resolve-device.ts";

/** One service as the objects of a notebook use it. Nothing is looked for or sent before the first answer is needed. */
export class Session {
  readonly client: Client;
  readonly calibrations: CalibrationSource;
  readonly names: DeviceNames;
  readonly #resolve: () => Connection;
  #connection: Connection | undefined;

  /** Throws a `KetbookError` if `url` is not an address, or has no key. */
  constructor(options: KetbookOptions = {}, host: Host = nodeHost) {
    checkConnection(options);
    this.#resolve = () => resolveConnection(options, host);
    const { url, apiKey, device, ...how } = options;
    this.client = openClient(async refresh => this.connection.source(refresh), how);
    this.calibrations = calibrationSource(this.client, host);
    this.names = new DeviceNames(this.client, () => this.connection.device);
  }

  /** The service and the default device, found out once. */
  get connection(): Connection {
    this.#connection ??= this.#resolve();
    return this.#connection;
  }

  /** Whether the service is this computer's, which compiles programs as this library does. */
  get isLocal(): boolean {
    return this.connection.url === undefined;
  }
}

let current: Session | undefined;

export function defaultSession(): Session {
  current ??= new Session();
  return current;
}

export function setDefaultSession(session: Session): void {
  current = session;
}
