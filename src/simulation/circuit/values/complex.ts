import type { Complex } from "../memory.ts";

/** Arithmetic of complex numbers; powers and roots give the principal value. */
export const COMPLEX = {
  "+": (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im }),
  "-": (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im }),
  "*": (a: Complex, b: Complex): Complex => ({
    re: a.re * b.re - a.im * b.im,
    im: a.re * b.im + a.im * b.re,
  }),
  "/": (a: Complex, b: Complex): Complex => {
    const norm = b.re * b.re + b.im * b.im;
    if (norm === 0) throw new RangeError("A complex number is divided by zero.");
    return { re: (a.re * b.re + a.im * b.im) / norm, im: (a.im * b.re - a.re * b.im) / norm };
  },
  "**": (a: Complex, b: Complex): Complex => {
    if (a.re === 0 && a.im === 0) {
      if (b.re < 0 || b.im !== 0) throw new RangeError("Zero has no such power.");
      return { re: b.re === 0 ? 1 : 0, im: 0 };
    }
    const log = { re: Math.log(Math.hypot(a.re, a.im)), im: Math.atan2(a.im, a.re) };
    return exponential(COMPLEX["*"](log, b));
  },
};

export function exponential({ re, im }: Complex): Complex {
  const scale = Math.exp(re);
  return { re: scale * Math.cos(im), im: scale * Math.sin(im) };
}

export function squareRoot({ re, im }: Complex): Complex {
  const modulus = Math.hypot(re, im);
  const part = Math.sqrt((modulus - re) / 2);
  return { re: Math.sqrt((modulus + re) / 2), im: im < 0 ? -part : part };
}
