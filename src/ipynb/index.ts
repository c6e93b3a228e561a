export * from "./format.ts";
export * from "./outputs.ts";
export * from "./parse.ts";
export * from "./release.ts";
export * from "./text.ts";
