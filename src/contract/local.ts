import { homedir, platform } from "node:os";
import { join } from "node:path";

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

/** Says whether a value is what the file holds. */
export function isLocalService(value: unknown): value is LocalService {
  const { url, apiKey, pid, version } = (value ?? {}) as { [field in keyof LocalService]?: unknown };
  const texts = [url, apiKey, version].every(text => typeof text === "string");
  return texts && URL.canParse(url as string) && Number.isInteger(pid) && (pid as number) > 0;
}

/** The user's data folder: `KETBOOK_DATA`, otherwise where the operating system keeps such things. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.KETBOOK_DATA) return env.KETBOOK_DATA;
  if (platform() === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "Ketbook");
  if (platform() === "darwin") return join(homedir(), "Library", "Application Support", "Ketbook");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "ketbook");
}
