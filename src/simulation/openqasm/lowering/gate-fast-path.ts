import type { Gate } from "../../circuit/gate.ts";
import { OPERATION } from "../../circuit/operations.ts";
import type { TokenStream } from "../syntax/token-stream.ts";
import type { Lowering } from "./compile.ts";
import { countSteps } from "./gate-calls.ts";

/** Tokens of a gate line, roughly, for the limit of tokens. */
const TOKENS_OF_A_LINE = 8;

/** Meaning of a word: a gate, with its index in the circuit, or a register of qubits. */
interface Word {
  readonly text: string;
  readonly gate: Gate | undefined;
  readonly gateIndex: number;
  readonly register: readonly number[] | undefined;
}

/**
 * Reads plain lines such as `cx q[0], q[1];` and `rz(-pi/4) q[2];` character by character, straight into operations.
 * Most of a large program is made of them. Whatever is not just so is left to the parser.
 */
export class GateFastPath {
  readonly #tokens: TokenStream;
  readonly #lowering: Lowering;
  readonly #source: string;
  readonly #operands: number[] = [];
  readonly #params: number[] = [];
  /** The words of the lines that are read in one go, by a hash of their letters. */
  readonly #words = new Map<number, Word>();
  #at = 0;

  constructor(tokens: TokenStream, lowering: Lowering) {
    this.#tokens = tokens;
    this.#lowering = lowering;
    this.#source = lowering.source;
  }

  read(): void {
    this.#tokens.rewind();
    this.#words.clear();
    const { lexer } = this.#tokens;
    this.#at = lexer.offset;
    while (this.#line()) {
      lexer.offset = this.#at;
      lexer.count(TOKENS_OF_A_LINE);
    }
  }

  #line(): boolean {
    const { builder, limits } = this.#lowering;
    this.#space();
    const start = this.#at;
    const word = this.#word();
    const gate = word?.gate;
    if (!gate || builder.length >= limits.maxOperations) return false;
    this.#params.length = 0;
    this.#operands.length = 0;
    if (this.#accept(40)) {
      do {
        const value = this.#angle();
        if (Number.isNaN(value)) return false;
        this.#params.push(value);
        this.#space();
      } while (this.#accept(44));
      if (!this.#accept(41)) return false;
    }
    do {
      this.#space();
      const qubit = this.#qubit();
      if (qubit < 0 || this.#operands.length === gate.numQubits || this.#operands.includes(qubit))
        return false;
      this.#operands.push(qubit);
      this.#space();
    } while (this.#accept(44));
    if (
      !this.#accept(59) ||
      this.#params.length !== gate.numParams ||
      this.#operands.length !== gate.numQubits
    )
      return false;
    if (gate.kind === "composite") countSteps(this.#lowering, gate, 1, start);
    builder.operation(OPERATION.gate, word.gateIndex, start, this.#at);
    for (const operand of this.#operands) builder.operations.operand(operand);
    for (const param of this.#params) builder.operations.param(param);
    return true;
  }

  #code(): number {
    return this.#source.charCodeAt(this.#at);
  }

  #accept(code: number): boolean {
    if (this.#code() !== code) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (
      let code = this.#code();
      code === 32 || code === 10 || code === 9 || code === 13;
      code = this.#code()
    )
      this.#at++;
  }

  /** Reads a word; null where there is none, or one with letters beyond ASCII. */
  #word(): Word | null {
    const source = this.#source;
    const start = this.#at;
    let at = start;
    let hash = 0;
    let code = source.charCodeAt(at);
    while (isWordCharacter(code)) {
      hash = (Math.imul(hash, 31) + code) | 0;
      code = source.charCodeAt(++at);
    }
    this.#at = at;
    if (at === start || code > 127) return null;
    const known = this.#words.get(hash);
    if (known && known.text.length === at - start && source.startsWith(known.text, start)) return known;
    const text = source.slice(start, at);
    const gate = this.#lowering.gateNamed(text);
    const gateIndex = gate ? this.#lowering.builder.gateIndex(gate) : -1;
    const word = { text, gate, gateIndex, register: this.#lowering.registerNamed(text) };
    this.#words.set(hash, word);
    return word;
  }

  #qubit(): number {
    const register = this.#word()?.register;
    if (!register || !this.#accept(91)) return -1;
    const index = this.#digits();
    return index >= 0 && this.#accept(93) ? (register[index] ?? -1) : -1;
  }

  #digits(): number {
    const start = this.#at;
    let value = 0;
    for (let code = this.#code(); code >= 48 && code <= 57; code = this.#code()) {
      value = value * 10 + code - 48;
      this.#at++;
    }
    return this.#at > start && this.#at - start < 16 ? value : -1;
  }

  /** Reads `1.5`, `-2e-3`, `pi`, `pi/4` or `3*pi/8`; NaN stands for anything else. */
  #angle(): number {
    this.#space();
    const sign = this.#accept(45) ? -1 : 1;
    let value = this.#factor();
    for (;;) {
      this.#space();
      if (this.#accept(42)) value *= this.#factor();
      else if (this.#accept(47)) {
        const divisor = this.#factor();
        if (divisor === 0) return Number.NaN;
        value /= divisor;
      } else return sign * value;
    }
  }

  #factor(): number {
    this.#space();
    const code = this.#code();
    if (code === 112)
      return this.#word()?.text === "pi" && !this.#lowering.isDeclared("pi") ? Math.PI : Number.NaN;
    return code >= 48 && code <= 57 ? this.#number() : Number.NaN;
  }

  /** Reads a number that begins with a digit. One of few digits is the quotient of two exact numbers, which rounds as it should. */
  #number(): number {
    const source = this.#source;
    const start = this.#at;
    let at = start;
    let digits = 0;
    let point = -1;
    let code = source.charCodeAt(at);
    for (; (code >= 48 && code <= 57) || (code === 46 && point < 0); code = source.charCodeAt(++at)) {
      if (code === 46) point = at;
      else digits = digits * 10 + code - 48;
    }
    const decimals = point < 0 ? 0 : at - point - 1;
    const hasExponent = code === 101 || code === 69;
    if (hasExponent) {
      EXPONENT.lastIndex = at;
      at += EXPONENT.exec(source)?.[0].length ?? 0;
      code = source.charCodeAt(at);
    }
    this.#at = at;
    if (isWordCharacter(code) || code > 127) return Number.NaN;
    const isExact = !hasExponent && digits <= Number.MAX_SAFE_INTEGER && decimals < EXACT_POWERS.length;
    return isExact ? digits / EXACT_POWERS[decimals]! : Number(source.slice(start, at));
  }
}

const EXPONENT = /[eE][+-]?\d+/y;
/** The powers of ten that are exact numbers. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}
