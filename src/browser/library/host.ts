import { KetbookError } from "../../client/errors.ts";
import type { Endpoint } from "../../client/options.ts";
import type { Host } from "../../notebook/connection/host.ts";

const SERVICE = Symbol.for("ketbook.service");

/** Says which service cells use when they name none. */
export function setDefaultService(find: () => Promise<Endpoint>): void {
  Object.defineProperty(globalThis, SERVICE, { value: find, configurable: true });
}

const files = new Map<string, string>();

/** A page: no environment, and files that last as long as it does. */
export const nodeHost: Host = {
  environment: () => undefined,
  readData(file) {
    const text = files.get(file);
    return text === undefined ? undefined : { path: file, text };
  },
  listData: folder =>
    Array.from(files.keys())
      .filter(file => file.startsWith(`${folder}/`))
      .map(file => file.slice(folder.length + 1)),
  writeData(file, text) {
    files.set(file, text);
    return true;
  },
  removeData: file => void files.delete(file),
  localService() {
    const find = (globalThis as { [SERVICE]?: () => Promise<Endpoint> })[SERVICE];
    if (!find) throw new KetbookError("This page has no service.");
    return find();
  },
  isServing: () => true,
};
