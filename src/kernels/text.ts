import { inspect } from "#host";
import {
  type Displayable,
  displayMetadata,
  jupyterDisplay,
  type MimeBundle,
  visible,
} from "../display/index.ts";

/** The bundle of a value, or a string that says why there is none. Never throws. */
export function bundleOf(value: Displayable): MimeBundle {
  try {
    return value[jupyterDisplay]();
  } catch (error) {
    const reason = error instanceof Error ? error.message : inspect(error);
    return { "text/plain": `This value could not be shown: ${reason}` };
  }
}

/** Returns the metadata of a value's bundle, by mime type. Never throws. */
export function metadataOf(value: Displayable): MimeBundle {
  try {
    return value[displayMetadata]?.() ?? {};
  } catch {
    return {};
  }
}

/** The text form of a value, safe to print anywhere. */
export function plainText(value: Displayable): string {
  const text = bundleOf(value)["text/plain"];
  return visible(typeof text === "string" ? text : inspect(value, { customInspect: false }));
}
