import { PageConfig } from "@jupyterlab/coreutils";
import { narrowConnections } from "../../src/browser/page/storage.ts";
import { VERSION } from "../../src/version.ts";
import { DEFAULT_KERNEL } from "./kernel-spec.ts";

/** The script of the JupyterLite shell. JupyterLab's modules read where they are as soon as they are loaded. */
const root = new URL("../", document.baseURI).pathname;
const options = {
  appName: "Ketbook",
  appVersion: VERSION,
  appUrl: "/lab",
  baseUrl: root,
  contentsAllJsonFile: "all.json",
  defaultKernelName: DEFAULT_KERNEL,
  settingsUrl: `${root}build/settings`,
  themesUrl: "build/themes",
};

narrowConnections();
for (const [name, value] of Object.entries(options)) PageConfig.setOption(name, value);
const { startLab } = await import("./lab.ts");
await startLab();
