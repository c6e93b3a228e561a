import type { Log } from "./log.ts";

/** Runs what opens something part by part, and returns it; where that fails, what was opened is closed. */
export async function openInOrder<T>(
  log: Log,
  open: (onClose: (close: () => unknown) => void, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (const each of opened.splice(0).reverse()) {
      try {
        await each();
      } catch (error) {
        log("error", "stop", { error: String(error) });
      }
    }
  };
  try {
    return await open(each => opened.push(each), close);
  } catch (error) {
    await close();
    throw error;
  }
}
