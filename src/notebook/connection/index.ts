export type { Host } from "./host.ts";
