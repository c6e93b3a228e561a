/** Compiled kernels of the simulator. */
export interface ProvidedKernels {
  fastest?: WebAssembly.Module;
  /** Those with plain SIMD, which round alike on every machine. */
  plain?: WebAssembly.Module;
}

const provided: ProvidedKernels = {};

/** Provides kernels, which a page loads before it simulates with them. */
export function provideKernels(kernels: ProvidedKernels): void {
  Object.assign(provided, kernels);
}

/** Returns the compiled kernels, or those with plain SIMD. Throws an Error where they were not provided. */
export function kernelModule(isPlain: boolean): WebAssembly.Module {
  const module = isPlain ? provided.plain : provided.fastest;
  if (module) return module;
  throw new Error(
    "The simulator's kernels are not loaded. Call loadKernels() before a program is simulated.",
  );
}
