import { homedir, platform } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Name of the file in the data folder through which a running local service is found. */
export const SERVICE_FILE = "service.json";

/** What that file holds. It is readable by its owner only. */
export interface LocalService {
  /** Base address of version 2, ending in `/api/v1`. */
  url: string;
  /** Key of the data folder's own user. */
  apiKey: string;
  pid: number;
  /** Version of Ketbook that serves. */
  version: string;
}

/** Describes the file. */
export const localServiceSchema: z.ZodType<LocalService> = z.object({
  url: z.url(),
  apiKey: z.string(),
  pid: z.int(),
  version: z.string(),
});

/** The user's data folder: `KETBOOK_DATA`, otherwise where the operating system keeps such things. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.KETBOOK_DATA) return env.KETBOOK_DATA;
  if (platform() === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "Ketbook");
  if (platform() === "darwin") return join(homedir(), "Library", "Application Support", "Ketbook");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "ketbook");
}
