import type { Chart } from "../chart.ts";

type Members = { [member: string]: unknown };

/** Members of a specification that only a whole one has. */
const ofWhole = ["$schema", "background", "config", "padding", "autosize", "datasets"];

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the specifications of charts as parts of another one: their named data stand together, under names that differ. */
export function partsOf(charts: readonly Chart[]): { views: Members[]; datasets?: Members } {
  const datasets: Members = {};
  const views = charts.map((chart, index) => {
    const spec = chart.bareSpec as Members;
    const names = new Map<string, string>();
    for (const [name, rows] of Object.entries(isMembers(spec.datasets) ? spec.datasets : {})) {
      names.set(name, `${name}_${index}`);
      datasets[`${name}_${index}`] = rows;
    }
    const part = Object.fromEntries(Object.entries(spec).filter(([name]) => !ofWhole.includes(name)));
    return names.size > 0 ? (renamed(part, names) as Members) : part;
  });
  return { views, ...(Object.keys(datasets).length > 0 && { datasets }) };
}

/** Returns the same specification with its named data under other names. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map(entry => renamed(entry, names));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => {
      const isData = member === "data" && isMembers(inner);
      if (!isData) return [member, renamed(inner, names)];
      return [
        member,
        { ...inner, ...(typeof inner.name === "string" && { name: names.get(inner.name) ?? inner.name }) },
      ];
    }),
  );
}
