import { InvalidArgumentError } from "commander";

/** Reads the vendor code of a service. */
export function vendorCode(text: string): string {
  if (/^[a-z][a-z0-9]{0,29}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be lower-case letters and digits, such as lab.");
}
