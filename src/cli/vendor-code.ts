import { InvalidArgumentError } from "commander";
import { OTHER_VENDORS } from "../contract/qrn.ts";

/** Codes of other vendors, and the word for every vendor in filters. */
const TAKEN = [...OTHER_VENDORS, "all"];

/** Reads the vendor code of a service. */
export function vendorCode(text: string): string {
  if (TAKEN.includes(text)) throw new InvalidArgumentError(`It must not be one of ${TAKEN.join(", ")}.`);
  if (/^[a-z][a-z0-9]{0,29}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be lower-case letters and digits, such as lab.");
}
