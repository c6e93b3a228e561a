import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Endpoint } from "../../client/index.ts";
import { readServiceFile } from "../../contract/index.ts";
import { attempted, succeeds } from "../../host/attempted.ts";
import { dataFolder } from "../../host/data-folder.ts";

/** Services of the computer that a Ketbook runs on. */
export interface Host {
  environment(name: string): string | undefined;
  /** The text of a file in the data folder, and its path; undefined when there is none. */
  readData(file: string): { path: string; text: string } | undefined;
  /** The names of the files in a folder of the data folder; none where it is not there. */
  listData(folder: string): string[];
  /** Writes a file in the data folder, and returns whether it could be written. */
  writeData(file: string, text: string): boolean;
  removeData(file: string): void;
  /** Finds the service of this computer, and starts it when it does not run. */
  localService(): Promise<Endpoint>;
  /** Whether the data folder still names the service that was found, and its process is there. */
  isServing(endpoint: Endpoint): boolean;
}

export const nodeHost: Host = {
  environment: name => process.env[name],
  readData(file) {
    const path = join(dataFolder(), file);
    return attempted(() => ({ path, text: readFileSync(path, "utf8") }));
  },
  listData: folder => attempted(() => readdirSync(join(dataFolder(), folder))) ?? [],
  writeData(file, text) {
    const path = join(dataFolder(), file);
    const draft = `${path}.${process.pid}`;
    return succeeds(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, path);
    });
  },
  removeData(file) {
    rmSync(join(dataFolder(), file), { force: true });
  },
  localService: async () => (await import("./local-service.ts")).localEndpoint(),
  isServing({ url }) {
    const service = readServiceFile(dataFolder());
    return service?.url === url && succeeds(() => process.kill(service.pid, 0));
  },
};
