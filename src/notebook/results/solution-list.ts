import { formatEnergy } from "../../charts/index.ts";
import {
  code,
  formatDuration,
  formatNumber,
  type RenderedView,
  singleLine,
  table,
} from "../../display/index.ts";
import { compareEnergies, type Solution } from "../../results/index.ts";
import { DisplayableList } from "../values/displayable-list.ts";

/** The solutions that an annealer found, the lowest energy first: an array that shows itself as a table. */
export class SolutionList extends DisplayableList<Solution> {
  /** @internal */
  static make(solutions: readonly Solution[]): SolutionList {
    return SolutionList.ofRows(solutions.toSorted(compareEnergies));
  }

  /** @internal */
  static override readonly noun: string = "solutions";

  /** The number of solutions and the lowest energy, in a line. */
  override toString(): string {
    const lowest = this[0]?.energy ?? null;
    const words = this.length === 1 ? "1 solution" : `${formatNumber(this.length)} solutions`;
    return lowest === null ? words : `${words}, lowest energy ${formatEnergy(lowest)}`;
  }

  /** @internal */
  protected override render(): RenderedView {
    return table<Solution>({
      caption: String(this),
      noun: "solutions",
      rows: this,
      columns: [
        {
          label: "Energy",
          align: "right",
          value: ({ energy }) => (energy === null ? null : formatEnergy(energy)),
        },
        { label: "Found", align: "right", value: ({ occurrences }) => formatNumber(occurrences) },
        {
          label: "Constraint",
          value: ({ constraint }) => (constraint === null ? null : constraint ? "kept" : "broken"),
        },
        {
          label: "Time",
          align: "right",
          value: ({ time }) => formatDuration(time === null ? null : time * 1000),
        },
        { label: "Spins", value: ({ spins }) => code(spinsText(spins)) },
      ],
    });
  }
}

const maxSpins = 40;

/** The first spins, as `x0=1 x1=0 …`. */
function spinsText(spins: Solution["spins"]): string {
  const names = Object.keys(spins);
  const shown = names.slice(0, maxSpins).map(name => `${singleLine(name, 24).trim()}=${spins[name]}`);
  return [...shown, ...(names.length > maxSpins ? ["…"] : [])].join(" ");
}
