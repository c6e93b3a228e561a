export * from "../kernelspec.ts";
export * from "../launcher/find-package.ts";
export type { Connection } from "./channel.ts";
export * from "./command.ts";
export * from "./kernel-info.ts";
export * from "./lifetime.ts";
export * from "./native-types.ts";
export * from "./wire.ts";

/** Loads the parser and emitter of cells, which are native code. */
export const loadSyntax = async () => (await import("./syntax.ts")).oxc;
