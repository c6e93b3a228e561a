let provided: WebAssembly.Module | undefined;

/** Provides the kernels of the simulator, which a page loads before it simulates. */
export function provideKernels(module: WebAssembly.Module): void {
  provided = module;
}

/** Returns the compiled kernels. Throws an Error where none were provided. */
export function kernelModule(): WebAssembly.Module {
  if (provided) return provided;
  throw new Error(
    "The simulator's kernels are not loaded. Call loadKernels() before a program is simulated.",
  );
}
