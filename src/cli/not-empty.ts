import { InvalidArgumentError } from "commander";

/** Reads an option whose value may not be empty. */
export function notEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}
