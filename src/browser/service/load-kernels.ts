/** The simulator's kernels. */
export interface Kernels {
  /** Those with relaxed SIMD where the browser has it, else the plain ones. */
  fastest: WebAssembly.Module;
  /** Loads those with plain SIMD, which round alike on every machine; once, where that does not fail. */
  loadPlain(): Promise<WebAssembly.Module>;
}

/**
 * Loads and compiles the simulator's kernels from a folder. Throws an Error that says what is missing where they cannot
 * be had.
 */
export async function loadKernels(base: URL): Promise<Kernels> {
  let plain: WebAssembly.Module | undefined;
  async function loadPlain(): Promise<WebAssembly.Module> {
    plain ??= await load(new URL("kernels-plain.wasm", base));
    if (plain) return plain;
    throw new Error("This browser runs no WebAssembly with SIMD and threads. Use a newer one.");
  }
  return { fastest: (await load(new URL("kernels.wasm", base))) ?? (await loadPlain()), loadPlain };
}

/** Loads and compiles a module; undefined where the browser can't run it. */
async function load(file: URL): Promise<WebAssembly.Module | undefined> {
  const response = await fetch(file);
  if (!response.ok)
    throw new Error(
      `The simulator's kernels could not be loaded: ${file.pathname} answers ${response.status}.`,
    );
  const bytes = await response.arrayBuffer();
  return WebAssembly.validate(bytes) ? WebAssembly.compile(bytes) : undefined;
}
