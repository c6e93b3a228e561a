import manifest from "../package.json" with { type: "json" };

/** The oldest Node that Ketbook runs on, such as `22.19`, as `engines` in package.json says. */
export const OLDEST_NODE = manifest.engines.node.replace(">=", "");

/** Says in a sentence why Ketbook does not run on a version of Node, and what to do; undefined when it does. */
export function unsupportedNode(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Ketbook needs Node ${OLDEST_NODE} or later, and this is Node ${version}: install a newer one from nodejs.org.`;
}
