import dgram from "node:dgram";
import dns from "node:dns";
import { isBuiltin, registerHooks } from "node:module";
import net from "node:net";
import { LIBRARY_FILES } from "../../kernels/cells/index.ts";

/** Modules of Node that cells may import: they reach no other process and no network. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "assert assert/strict async_hooks buffer console crypto events fs fs/promises path path/posix " +
    "perf_hooks querystring stream stream/promises string_decoder timers timers/promises url util " +
    "util/types zlib"
  ).split(" "),
);

/** Methods of a process that reach other processes, or modules by another way. */
const PROCESS_METHODS =
  "kill _kill _debugProcess _debugEnd _startProfilerIdleNotifier dlopen binding _linkedBinding".split(" ");

const nameOf = (specifier: string) => specifier.replace(/^node:/, "");

function refuse(what: string): never {
  throw new Error(`${what} is not there while a notebook is graded.`);
}

/**
 * Takes from this process what reaches other processes and the network, beside what its permissions and namespaces do.
 * Returns the function that imports modules for cells: the library's, by file name, and harmless ones of Node.
 */
export function lockDown(
  library: Readonly<Record<string, object>>,
): (specifier: unknown) => Promise<unknown> {
  const own = new URL(".", import.meta.url).href;
  const { getBuiltinModule } = process;
  registerHooks({
    resolve(specifier, context, next) {
      if (LIBRARY_FILES.has(specifier)) refuse("A second copy of the library");
      if (isBuiltin(specifier))
        return HARMLESS.has(nameOf(specifier)) ? next(specifier, context) : refuse(specifier);
      const found = next(specifier, context);
      return found.url.startsWith(own) ? found : refuse(specifier);
    },
  });
  for (const owner of [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype])
    for (const name of ["connect", "listen", "bind", "send"])
      if (name in owner) forbid(owner, name, `The network (${name})`);
  for (const name of ["lookup", "resolve", "resolve4", "resolve6", "reverse"])
    forbid(dns, name, "The network");
  for (const name of PROCESS_METHODS) forbid(process, name, `process.${name}`);
  Object.defineProperty(process, "getBuiltinModule", {
    value: (name: string) => (HARMLESS.has(nameOf(name)) ? getBuiltinModule(name) : undefined),
  });
  for (const name of ["fetch", "WebSocket", "EventSource"]) {
    // Redefining a lazy global would load it first.
    Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, name, { value: () => refuse(name), configurable: false });
  }
  return async specifier => {
    const file = LIBRARY_FILES.get(String(specifier));
    if (file) return library[file];
    const name = nameOf(String(specifier));
    return isBuiltin(name) && HARMLESS.has(name)
      ? await import(`node:${name}`)
      : refuse(JSON.stringify(String(specifier)));
  };
}

function forbid(owner: object, name: string, what: string): void {
  Object.defineProperty(owner, name, { value: () => refuse(what), configurable: false, writable: false });
}
