import type { Chart } from "../chart.ts";
import { chosen, dataNames } from "../roles.ts";

type Members = { [member: string]: unknown };

/** Members of a specification that only a whole one has. */
const ofWhole = ["$schema", "background", "config", "padding", "autosize", "datasets", "usermeta"];

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the specifications of charts as parts of another one: their named data stand together, under names that differ. */
export function partsOf(charts: readonly Chart[]): { views: Members[]; datasets?: Members } {
  const datasets: Members = {};
  const views = charts.map((chart, index) => {
    const spec = markChosen(chart.source.spec, chart.bareSpec) as Members;
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

/** Returns an edited specification in which the numbers that differ from the chart's own are marked: no theme scales them. */
function markChosen(own: unknown, edited: unknown, name = ""): unknown {
  if (own === edited || dataNames.includes(name) || name === "title") return edited;
  if (typeof edited === "number") return { [chosen]: edited };
  if (Array.isArray(edited)) return edited.map((entry, index) => markChosen(Object(own)[index], entry));
  if (!isMembers(edited)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([member, value]) => [member, markChosen(Object(own)[member], value, member)]),
  );
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
