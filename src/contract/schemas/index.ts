export * from "./json.ts";
export * from "./records.ts";
export * from "./request.ts";
