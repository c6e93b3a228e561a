import "./index.ts";

export * from "./notebook/exercises/index.ts";
