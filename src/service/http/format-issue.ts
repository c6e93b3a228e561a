import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const TYPE_NAMES: { [expected: string]: string } = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const units: { [origin: string]: [one: string, many: string] } = {
  string: [" character", " characters"],
  array: [" entry", " entries"],
};

/** Describes what is wrong with a value, as the end of a sentence that begins with its name. */
export function formatIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin, "at least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${bound(issue.origin, "at most", Number(issue.maximum))}`;
    case "invalid_value":
      return `must be ${listOf(issue.values.map(value => JSON.stringify(value)))}`;
    case "invalid_key":
      return "must not have a name that is empty or too long";
    case "unrecognized_keys":
      return "is not known";
    default:
      return issue.message === "Invalid input" ? "is not of a kind that can be read here" : issue.message;
  }
}

function bound(origin: string, which: string, limit: number): string {
  const unit = units[origin];
  return unit ? `have ${which} ${limit}${unit[limit === 1 ? 0 : 1]}` : `be ${which} ${limit}`;
}

function listOf(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
