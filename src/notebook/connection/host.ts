import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "../../client/options.ts";
import { dataFolder } from "../../contract/local.ts";

/** What a Ketbook asks of the computer that it runs on. */
export interface Host {
  /** The value of an environment variable. */
  environment(name: string): string | undefined;
  /** The text of a file in the data folder, and its path; undefined when there is none. */
  readData(file: string): { path: string; text: string } | undefined;
  /** Finds the service of this computer, and starts it when it does not run. */
  localService(): Promise<Endpoint>;
}

/** Node, with the user's data folder. */
export const nodeHost: Host = {
  environment: name => process.env[name],
  readData(file) {
    const path = join(dataFolder(), file);
    try {
      return { path, text: readFileSync(path, "utf8") };
    } catch {
      return undefined;
    }
  },
  localService: async () => (await import("./local-service.ts")).localEndpoint(),
};
