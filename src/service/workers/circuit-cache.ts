import { type Circuit, type CompileOptions, compile, type SourceProgram } from "../../simulation/index.ts";

const MAX_CIRCUITS = 32;
const MAX_LENGTH = 32 * 1024;
/** Operations and values of one circuit, which a short program may have very many of. */
const MAX_SIZE = 32 * 1024;
/** Whatever takes longer to compile may be large in other ways, and is not kept. */
const MAX_COMPILE_MS = 50;

/** Circuits by their programs, the one that was last used at the end. */
const circuits = new Map<string, Circuit>();

/** Compiles a program, or takes the circuit of the same program without inputs that this thread has just compiled. */
export function compileOnce(program: SourceProgram, options: CompileOptions): Circuit {
  const { inputs = {}, measuresAll } = options;
  const key = JSON.stringify([program, measuresAll]);
  if (key.length > MAX_LENGTH || Object.keys(inputs).length > 0) return compile(program, options);
  const began = performance.now();
  const circuit = circuits.get(key) ?? compile(program, options);
  circuits.delete(key);
  const { operations, numSlots } = circuit.parts;
  const isSmall = operations.length + numSlots <= MAX_SIZE;
  if (isSmall && performance.now() - began <= MAX_COMPILE_MS) circuits.set(key, circuit);
  if (circuits.size > MAX_CIRCUITS) circuits.delete(circuits.keys().next().value!);
  return circuit;
}
