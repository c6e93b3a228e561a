/** Vendor code of a service that is given no other. */
export const OWN_VENDOR = "svc";
/** Other vendors that the interface names. */
export const OTHER_VENDORS: readonly string[] = ["aws", "azure", "ibm", "ionq"];

const deviceQrn = /^([a-z0-9_-]+):([a-z0-9_-]+):([a-z0-9_-]+):([a-z0-9_.-]+)$/i;

/** Splits a device's resource name, `<vendor>:<provider>:<type>:<name>`; `undefined` when the string is not one. */
export function parseDeviceQrn(qrn: string) {
  const [, vendor, provider, type, name] = deviceQrn.exec(qrn) ?? [];
  return vendor && provider && type && name ? { vendor, provider, type, name } : undefined;
}

/** Makes a job's resource name from its device's and 28 hexadecimal digits. */
export function formatJobQrn(device: string, hex: string): string {
  return `${device}-${hex.slice(0, 4)}-qjob-${hex.slice(4, 28)}`;
}

const groupPrefix = "group:";

/** Reads the id from a group's resource name; `undefined` when the string is not one. */
export function parseGroupQrn(qrn: string): string | undefined {
  return qrn.startsWith(groupPrefix) ? qrn.slice(groupPrefix.length) : undefined;
}

export function formatGroupQrn(id: string): string {
  return `${groupPrefix}${id}`;
}
