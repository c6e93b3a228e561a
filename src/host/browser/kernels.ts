const provided: { fastest?: WebAssembly.Module; plain?: WebAssembly.Module } = {};

/** Provides the kernels of the simulator, which a page loads before it simulates, and those with plain SIMD. */
export function provideKernels(fastest: WebAssembly.Module, plain: WebAssembly.Module): void {
  Object.assign(provided, { fastest, plain });
}

/** Returns the compiled kernels, or those with plain SIMD. Throws an Error where they were not provided. */
export function kernelModule(isPlain: boolean): WebAssembly.Module {
  const module = isPlain ? provided.plain : provided.fastest;
  if (module) return module;
  throw new Error(
    "The simulator's kernels are not loaded. Call loadKernels() before a program is simulated.",
  );
}
