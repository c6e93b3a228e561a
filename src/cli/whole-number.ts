import { InvalidArgumentError } from "commander";

/** Makes what reads an option that is a whole number within limits. */
export function wholeNumber(max: number, min = 0) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}
