import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
const compiled = new Map<boolean, WebAssembly.Module>();

/**
 * Returns the compiled kernels: those with relaxed SIMD where the engine has it, else those with plain SIMD, which round
 * alike on every machine.
 * From the sources, they are built on first use and kept in a cache.
 * Throws an Error that says what is missing where they cannot be loaded.
 */
export function kernelModule(isPlain: boolean): WebAssembly.Module {
  const known = compiled.get(isPlain);
  if (known) return known;
  const folder = isSource ? builtFolder() : new URL("./", import.meta.url);
  try {
    for (const name of isPlain ? ["kernels-plain.wasm"] : ["kernels.wasm", "kernels-plain.wasm"]) {
      const bytes = readFileSync(new URL(name, folder));
      if (WebAssembly.validate(bytes)) {
        const module = new WebAssembly.Module(bytes);
        compiled.set(isPlain, module);
        return module;
      }
    }
  } catch (error) {
    throw new Error(
      `The simulator's kernels cannot be read from ${fileURLToPath(folder)}. Install the package again, or run its build.`,
      { cause: error },
    );
  }
  throw new Error(
    `This engine (Node ${process.versions.node}) runs no WebAssembly with SIMD and threads. Use a newer Node, on a processor with SIMD.`,
  );
}

/** Returns the folder in which the kernels are kept that were built of the sources as they are. */
function builtFolder(): URL {
  const sources = new URL("../../simulation/statevector/kernels/", import.meta.url);
  const builder = new URL("../../simulation/statevector/build-kernels.ts", import.meta.url);
  const hash = createHash("sha256").update(readFileSync(builder));
  for (const name of readdirSync(sources).sort()) hash.update(readFileSync(new URL(name, sources)));
  const folder = new URL(
    `../../../node_modules/.cache/ketbook/kernels-${hash.digest("hex").slice(0, 16)}/`,
    import.meta.url,
  );
  if (!existsSync(new URL("kernels-plain.wasm", folder)))
    execFileSync(process.execPath, [fileURLToPath(builder), fileURLToPath(folder)], { stdio: "pipe" });
  return folder;
}
