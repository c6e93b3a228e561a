import { JupyterLab } from "@jupyterlab/application";
import { Notification } from "@jupyterlab/apputils";
import { IServiceManager } from "@jupyterlab/services";
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { type IPlugin, PluginRegistry } from "@lumino/coreutils";
import { extensions, mimeExtensions } from "ketbook:extensions";
import { keepOffline } from "../../src/browser/page/offline.ts";
import { cellExecutor } from "./cell-executor.ts";
import { DISABLED_PLUGINS } from "./disabled-plugins.ts";
import { firstNotebook } from "./first-notebook.ts";
import { kernelPlugin } from "./kernel.ts";
import "./style.css";

type Plugin = IPlugin<JupyterLab, unknown>;

/** Starts JupyterLab with the plugins of its packages, JupyterLite's and our own. */
export async function startLab(): Promise<void> {
  const root = new URL("../", document.baseURI);
  const plugins = [...extensions, kernelPlugin(root), cellExecutor, firstNotebook]
    .flat()
    .filter(({ id }) => !DISABLED_PLUGINS.has(id)) as Plugin[];
  const pluginRegistry = new PluginRegistry<JupyterLab>();
  pluginRegistry.registerPlugins(plugins);
  const serviceManager = await pluginRegistry.resolveRequiredService(IServiceManager);
  // What JupyterLab reads here are the extensions, or modules whose default export they are.
  const lab = new JupyterLab({
    pluginRegistry,
    serviceManager,
    mimeExtensions: mimeExtensions.flat() as unknown as IRenderMime.IExtensionModule[],
  });
  await Promise.allSettled(["12px Inter", "600 12px Inter"].map(face => document.fonts.load(face)));
  await lab.start({ bubblingKeydown: true });
  await lab.restored;
  await keepOffline(new URL("service-worker.js", root), {
    show: (text, [label, callback] = ["", () => undefined]) =>
      Notification.info(text, { autoClose: false, ...(label && { actions: [{ label, callback }] }) }),
  });
}
