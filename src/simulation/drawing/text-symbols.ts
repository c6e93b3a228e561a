/** The characters that a drawing is made of. */
export type SymbolSet = typeof UNICODE;

/** Box drawing and geometric shapes. */
export const UNICODE = {
  ...{ wire: "─", classical: "═", line: "│", double: "║", dashed: "┊", side: "│", more: "…", edge: "─" },
  ...{ cross: "┼", crossDouble: "╫", crossClassical: "╪", bothDouble: "╬", left: "┤", right: "├" },
  ...{ control: "●", open: "○", target: "⊕", swap: "×", condition: "■", bit: "╩", read: "╥" },
  ...{ corners: "┌┐└┘", above: "┴", below: "┬", hooks: "╭╮╰╯", aboveDouble: "╨" },
};

/** Only ASCII. */
export const ASCII: SymbolSet = {
  ...{ wire: "-", classical: "=", line: "|", double: "|", dashed: ":", side: "|", more: "...", edge: "-" },
  ...{ cross: "+", crossDouble: "+", crossClassical: "+", bothDouble: "+", left: "[", right: "]" },
  ...{ control: "*", open: "o", target: "X", swap: "x", condition: "?", bit: "+", read: "+" },
  ...{ corners: "++++", above: "+", below: "+", hooks: "++++", aboveDouble: "+" },
};

const TO_ASCII: Record<string, string> = {
  ...{ "×": "x", "†": "'", "√": "sqrt", "⟩": ">", "…": "...", "·": "*", "−": "-" },
  ...{ α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta", θ: "theta" },
  ...{ κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau" },
  ...{ φ: "phi", χ: "chi", ψ: "psi", ω: "omega" },
};

/** Returns a label in ASCII. */
export const toAscii = (label: string): string =>
  label.replace(/[^\x20-\x7e]/gu, character => TO_ASCII[character] ?? "?");
