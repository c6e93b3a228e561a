/** What JupyterLab's and JupyterLite's packages bring, which the build lists from `package.json`. */
declare module "ketbook:extensions" {
  import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
  import type { IPlugin } from "@lumino/coreutils";

  export const extensions: readonly (IPlugin<unknown, unknown> | readonly IPlugin<unknown, unknown>[])[];
  export const mimeExtensions: readonly (IRenderMime.IExtension | readonly IRenderMime.IExtension[])[];
}

/** Style sheets, which the build gathers into one. */
declare module "*.css";
