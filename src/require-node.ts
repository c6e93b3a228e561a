import { unsupportedNode } from "./node-version.ts";

const reason = unsupportedNode();
if (reason) {
  throw new Error(`${reason} Then run \`npx ketbook kernel install\`, so notebooks use it.`);
}
