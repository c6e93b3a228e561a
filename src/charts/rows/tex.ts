const symbols: { readonly [name: string]: string } = Object.fromEntries(
  "alpha α beta β gamma γ delta δ epsilon ε eta η theta θ kappa κ lambda λ mu µ nu ν pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Phi Φ Psi Ψ Omega Ω langle ⟨ rangle ⟩ dagger † otimes ⊗ times × cdot · pm ± sqrt √ infty ∞ hbar ħ"
    .split(" ")
    .flatMap((word, index, words) => (index % 2 === 0 ? [[word, words[index + 1]!] as const] : [])),
);
const raised = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻n ⁿi ⁱ".replaceAll(" ", "");
const lowered = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋i ᵢj ⱼn ₙm ₘk ₖ".replaceAll(" ", "");

/** Returns characters as small ones, or with their sign where one of them is not small. */
const small = (sign: string, letters: string, pairs: string) => {
  const found = [...letters].map(letter => pairs[2 * Math.floor(pairs.indexOf(letter) / 2) + 1]);
  return [...letters].every(letter => pairs.indexOf(letter) % 2 === 0) ? found.join("") : sign + letters;
};

/** Writes the TeX between signs of dollar as plain characters: `$\theta_0$`, `$10^{-3}$`, `$|0\rangle$`. */
export function plainTex(text: string): string {
  return text.replace(/\$([^$]+)\$/g, (_, tex: string) =>
    tex
      .replace(/\\([A-Za-z]+) ?/g, (whole, name: string) => symbols[name] ?? whole)
      .replace(/([_^])(?:\{([^}]*)\}|(.))/g, (_, sign: string, group = "", one = "") =>
        small(sign, group + one, sign === "^" ? raised : lowered),
      )
      .replace(/-/g, "−"),
  );
}
