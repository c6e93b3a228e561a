/** Colours of series as roles, in order: a theme says which colours they are. */
export const series = [
  ...(["role:0", "role:1", "role:2", "role:3", "role:4"] as const),
  ...(["role:5", "role:6", "role:7", "role:8", "role:9"] as const),
] as const;

/** Role of words in the colour of a series, where that is too pale for words. */
export const wordsOf = (role: string) => `${role}:words`;

/** Role of neutral marks, such as rest bars and quotas; text in it is secondary. */
export const neutral = "role:neutral";

/** The role of text's own colour, for marks: intervals, theory. */
export const inked = "role:ink";

/** Roles of states and maps, each a colour, or where it is a scale's range, all of its colours. */
export const figureRoles = {
  ...{ phase: "role:phase", error: "role:error", onError: "role:onError" },
  ...{
    ground: "role:ground",
    wash: "role:wash",
    edge: "role:edge",
    guide: "role:guide",
    casing: "role:casing",
    box: "role:box",
    onBox: "role:onBox",
  },
} as const;

/** The style of names at the ends of lines, which keep their size on narrow pages. */
export const endLabelStyle = "end-label";

/** The member of a view from outside, which no theme changes. */
export const untouched = "untouched";

/** The member that holds a length that somebody chose, which no theme scales. */
export const chosen = "chosen";

/** Parts of a specification that are data, and so not of its look. */
export const dataNames: readonly string[] = ["data", "datasets", "transform", "domain", "values"];

/** Returns a part of a specification in which series of the first colour have another one. */
export function recolored<Part>(part: Part, color: string): Part {
  if (part === series[0]) return color as Part;
  if (Array.isArray(part)) return part.map(entry => recolored(entry, color)) as Part;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => [
    name,
    dataNames.includes(name) ? value : recolored(value, color),
  ]);
  return Object.fromEntries(members);
}
