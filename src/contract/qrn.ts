/** The four parts of a device's resource name, `<vendor>:<provider>:<type>:<name>`. */
export interface DeviceQrnParts {
  vendor: string;
  provider: string;
  type: string;
  name: string;
}

const deviceQrn = /^([a-z0-9_-]+):([a-z0-9_-]+):([a-z0-9_-]+):([a-z0-9_.-]+)$/i;
const jobQrn = /^(?<device>.+)-[0-9a-f]{4}-qjob-[0-9a-f]{24}$/;

/** Splits a device's resource name; `undefined` when the text is not one. */
export function parseDeviceQrn(qrn: string): DeviceQrnParts | undefined {
  const match = deviceQrn.exec(qrn);
  if (!match) return undefined;
  const [, vendor = "", provider = "", type = "", name = ""] = match;
  return { vendor, provider, type, name };
}

/** Makes a job's resource name from its device's and 28 hexadecimal digits. */
export function formatJobQrn(device: string, hex: string): string {
  return `${device}-${hex.slice(0, 4)}-qjob-${hex.slice(4, 28)}`;
}

/** Says whether the text has the shape of a job's resource name. */
export function isJobQrn(text: string): boolean {
  return jobQrn.test(text);
}

const groupPrefix = "group:";

/** Reads the id from a group's resource name; `undefined` when the text is not one. */
export function parseGroupQrn(qrn: string): string | undefined {
  return qrn.startsWith(groupPrefix) ? qrn.slice(groupPrefix.length) : undefined;
}

/** Makes a group's resource name from its id. */
export function formatGroupQrn(id: string): string {
  return `${groupPrefix}${id}`;
}
