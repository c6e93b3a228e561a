import { Notification } from "@jupyterlab/apputils";
import { type KernelMessage, type ServerConnection, type ServiceManagerPlugin } from "@jupyterlab/services";
import { IServerSettings } from "@jupyterlab/services";
import {
  type IKernel,
  IKernelClient,
  IKernelSpecs,
  LiteKernelClient,
} from "@jupyterlite/services";
import { Signal } from "@lumino/signaling";
import { type JupyterKernel, type JupyterMessage, openJupyterKernel } from "../../src/browser/jupyter-kernel.ts";
import { download } from "../../src/browser/page/files.ts";
import { hostedService } from "../../src/browser/page/storage.ts";
import { startServiceThread } from "../../src/browser/service/connect.ts";
import { openTypes } from "../../src/browser/workers.ts";
import { kernelSpec } from "./kernel-spec.ts";

/** The kernels of this tab, by their ids. */
const kernels = new Map<string, JupyterKernel>();
const notified = new Set<string>();

/** Tells the user something, once. */
function notify(notes: readonly string[]): void {
  for (const note of notes) {
    if (!notified.has(note)) Notification.info(note, { autoClose: 15_000 });
    notified.add(note);
  }
}

/** Opens what makes kernels. All of a tab share its service, and what knows types. */
function openKernels(root: URL): (options: IKernel.IOptions) => Promise<IKernel> {
  const service = startServiceThread(new URL("service.js", root));
  const types = openTypes(new URL("types.js", root), () => undefined);
  return async ({ id, name, location, sendMessage }) => {
    const kernel = openJupyterKernel({
      script: new URL("kernel.js", root),
      hosted: hostedService(),
      types,
      connect: service.connect,
      send: message => sendMessage(message as unknown as KernelMessage.IMessage),
      onNotes: notify,
      onDownload: download,
    });
    kernels.set(id, kernel);
    let isDisposed = false;
    const made: IKernel = {
      id,
      name,
      location,
      ready: Promise.resolve(),
      get isDisposed() {
        return isDisposed;
      },
      get disposed() {
        return disposed;
      },
      handleMessage: message => kernel.handle(message as unknown as JupyterMessage),
      dispose() {
        if (isDisposed) return;
        isDisposed = true;
        kernel.close();
        kernels.delete(id);
        disposed.emit();
      },
    };
    const disposed = new Signal<IKernel, void>(made);
    return made;
  };
}

/** JupyterLite's client of kernels, whose own drops the cells that wait and lets the one that runs continue. */
class KernelClient extends LiteKernelClient {
  override async interrupt(id: string): Promise<void> {
    await kernels.get(id)?.interrupt();
  }
}

/** The plugin that lets notebooks run in our kernel. `root` is where its scripts are. */
export const kernelPlugin = (root: URL): ServiceManagerPlugin<IKernelClient> => ({
  id: "ketbook:kernel-client",
  description: "Runs TypeScript and OpenQASM in this tab.",
  autoStart: true,
  provides: IKernelClient,
  requires: [IKernelSpecs],
  optional: [IServerSettings],
  activate(_, kernelSpecs: IKernelSpecs, serverSettings?: ServerConnection.ISettings) {
    kernelSpecs.register({ spec: kernelSpec(root), create: openKernels(root) });
    return new KernelClient({ kernelSpecs, ...(serverSettings && { serverSettings }) });
  },
});
