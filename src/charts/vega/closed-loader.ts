import type { Loader } from "vega";

const refuse = () => Promise.reject(new Error("Charts hold their own data; nothing is loaded."));

/** Charts never read a file or the network, whatever a specification says. */
export const closedLoader = {
  options: {},
  load: refuse,
  sanitize: refuse,
  http: refuse,
  file: refuse,
} as unknown as Loader;
