/** The characters that a drawing is made of. */
export interface SymbolSet {
  readonly wire: string;
  readonly classical: string;
  readonly line: string;
  readonly double: string;
  readonly dashed: string;
  readonly cross: string;
  readonly crossDouble: string;
  readonly crossClassical: string;
  readonly bothDouble: string;
  readonly left: string;
  readonly right: string;
  readonly side: string;
  readonly control: string;
  readonly open: string;
  readonly target: string;
  readonly swap: string;
  readonly condition: string;
  readonly begin: string;
  readonly end: string;
  readonly more: string;
}

/** Box drawing and geometric shapes. */
export const UNICODE: SymbolSet = {
  ...{ wire: "─", classical: "═", line: "│", double: "║", dashed: "░", side: "│", more: "…" },
  ...{ cross: "┼", crossDouble: "╫", crossClassical: "╪", bothDouble: "╬", left: "┤", right: "├" },
  ...{ control: "●", open: "○", target: "⊕", swap: "×", condition: "■", begin: "⟦", end: "⟧" },
};

/** ASCII alone. */
export const ASCII: SymbolSet = {
  ...{ wire: "-", classical: "=", line: "|", double: "|", dashed: ":", side: "|", more: "..." },
  ...{ cross: "+", crossDouble: "+", crossClassical: "+", bothDouble: "+", left: "[", right: "]" },
  ...{ control: "*", open: "o", target: "X", swap: "x", condition: "?", begin: "{", end: "}" },
};

const TO_ASCII: Record<string, string> = {
  ...{ "×": "x", "†": "'", "√": "sqrt", "⟩": ">", "…": "...", "·": "." },
  ...{ α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta", θ: "theta" },
  ...{ κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau" },
  ...{ φ: "phi", χ: "chi", ψ: "psi", ω: "omega" },
};

/** Returns a label in ASCII. */
export const toAscii = (label: string): string =>
  label.replace(/[^\x20-\x7e]/gu, character => TO_ASCII[character] ?? "?");
