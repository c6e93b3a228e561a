/** The simulator's kernels. */
export interface Kernels {
  /** Those with relaxed SIMD where the browser has it, else the plain ones. */
  fastest: WebAssembly.Module;
  /** Those with plain SIMD, which round alike on every machine. */
  plain: WebAssembly.Module;
}

/**
 * Loads and compiles the simulator's kernels from a folder. Throws an Error that says what is missing where they cannot
 * be had.
 */
export async function loadKernels(base: URL): Promise<Kernels> {
  const [relaxed, plain] = await Promise.all(
    ["kernels.wasm", "kernels-plain.wasm"].map(async name => {
      const response = await fetch(new URL(name, base));
      if (!response.ok)
        throw new Error(`The simulator's kernels could not be loaded: ${name} answers ${response.status}.`);
      const bytes = await response.arrayBuffer();
      return WebAssembly.validate(bytes) ? WebAssembly.compile(bytes) : undefined;
    }),
  );
  if (!plain) throw new Error("This browser runs no WebAssembly with SIMD and threads. Use a newer one.");
  return { fastest: relaxed ?? plain, plain };
}
