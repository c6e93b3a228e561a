import { afterAll } from "vitest";
import { endFile } from "./after-file.ts";

/** Each test file begins with this. */
afterAll(endFile);
