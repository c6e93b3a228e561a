/**
 * Loads and compiles the simulator's kernels from a folder: those with relaxed SIMD where the browser has it, else those
 * with plain SIMD. Throws an Error that says what is missing where neither can be had.
 */
export async function loadKernels(base: URL): Promise<WebAssembly.Module> {
  for (const name of ["kernels.wasm", "kernels-plain.wasm"]) {
    const response = await fetch(new URL(name, base));
    if (!response.ok)
      throw new Error(`The simulator's kernels could not be loaded: ${name} answers ${response.status}.`);
    const bytes = await response.arrayBuffer();
    if (WebAssembly.validate(bytes)) return WebAssembly.compile(bytes);
  }
  throw new Error("This browser runs no WebAssembly with SIMD and threads. Use a newer one.");
}
