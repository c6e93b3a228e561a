import type { Loader, LoggerInterface } from "vega";

const refuse = () => Promise.reject(new Error("Charts hold their own data; nothing is loaded."));

/** Charts never read a file or the network, whatever a specification says. */
export const closedLoader = {
  ...{ options: {}, load: refuse, sanitize: refuse, http: refuse, file: refuse },
} as unknown as Loader;

/** Collects what Vega would print, so the first error can be thrown. */
export function listener(errors: unknown[]): LoggerInterface {
  const logger = {
    error: (...problem: unknown[]) => {
      errors.push(...problem);
      return logger;
    },
    ...Object.fromEntries(["level", "warn", "info", "debug"].map(name => [name, () => logger])),
  } as LoggerInterface;
  return logger;
}
