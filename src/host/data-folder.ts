import { homedir, platform } from "node:os";
import { join } from "node:path";

/** The user's data folder: `KETBOOK_DATA`, otherwise where the operating system keeps such things. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.KETBOOK_DATA) return env.KETBOOK_DATA;
  if (platform() === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "Ketbook");
  if (platform() === "darwin") return join(homedir(), "Library", "Application Support", "Ketbook");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "ketbook");
}
