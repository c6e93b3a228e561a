import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { watchParent } from "../jupyter/lifetime.ts";
import { INSTALL_COMMAND, LIBRARY } from "../library-name.ts";
import { explain } from "./failing-kernel.ts";
import { kernelIn, nearestPackage, type Package, supports } from "./find-package.ts";

/** Finds another Node that is new enough: the one that installed the kernel, or one on the PATH. */
function otherNode(found: Package, installer: string): string | undefined {
  return [installer, "node"].find(command => {
    const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8", timeout: 5000 });
    return Boolean(stdout) && supports(found, stdout.trim());
  });
}

/** Runs the kernel in its own process, which ends with this one and with the one that started it. */
function runChild(node: string, args: string[]): void {
  const child: ChildProcess = spawn(node, args, { stdio: "inherit" });
  const end = () => {
    child.kill("SIGKILL");
    process.exit(1);
  };
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", end);
  child.on("exit", code => process.exit(code === null ? 1 : code));
  watchParent(end);
}

/**
 * The command of a kernelspec. It is in the kernelspec's own folder and starts the kernel of the Ketbook that is
 * nearest to the notebook. It also runs on a Node that is too old for Ketbook, and says so in the notebook. Arguments:
 * the connection file, the package and the Node that installed the kernelspec, and options of the kernel.
 */
function launch([connection = "", installed = "", installer = "", ...options]: string[]): void {
  const folder = process.cwd();
  const fail = (reason: string) => explain(connection, reason);
  const found = nearestPackage(folder, installed);
  if (!found) {
    fail(
      `Ketbook is not installed in ${folder} or a folder above, and no longer in ${installed}. In the notebook's folder, run: npm install ${LIBRARY}`,
    );
    return;
  }
  const args = [kernelIn(found.folder), "--connection", connection, ...options];
  if (supports(found, process.versions.node)) {
    process.argv = [process.execPath, ...args];
    import(pathToFileURL(args[0]!).href).catch((error: Error) => fail(String(error.stack || error)));
    return;
  }
  const node = otherNode(found, installer);
  if (node) runChild(node, args);
  else
    fail(
      `Ketbook ${found.version} in ${found.folder} needs Node ${found.oldest.join(".")} or later, and Jupyter starts Node ${process.versions.node} (${process.execPath}). Install a newer Node from nodejs.org, then run: ${INSTALL_COMMAND}`,
    );
}

launch(process.argv.slice(2));
