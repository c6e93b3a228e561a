import { readFile } from "node:fs/promises";

type PeerRun = () => Promise<unknown> | unknown;

/** Packages of npm that simulate OpenQASM 2, by name: what makes a run of one shot, where it is installed. */
export const NPM_PEERS: Record<string, (data: string) => Promise<PeerRun>> = {
  "quantum-circuit": quantumCircuit,
  "qsharp-lang": qsharp,
};

async function quantumCircuit(data: string): Promise<PeerRun> {
  const name = "quantum-circuit";
  const { default: QuantumCircuit } = (await import(name)) as {
    default: new () => { importQASM(text: string): void; run(): void };
  };
  return () => {
    const circuit = new QuantumCircuit();
    circuit.importQASM(data);
    circuit.run();
  };
}

async function qsharp(data: string): Promise<PeerRun> {
  const { compiler, program, events } = await qsharpOf(data);
  return () => compiler.run(program, "", 1, events());
}

/** Loads qsharp-lang with a program of OpenQASM. */
export async function qsharpOf(data: string) {
  const name = "qsharp-lang";
  const found = await import(name);
  const wasm = new URL("../lib/web/qsc_wasm_bg.wasm", import.meta.resolve(name));
  await found.loadWasmModule(new Uint8Array(await readFile(wasm)).buffer);
  const compiler = await found.getCompiler();
  const program = {
    sources: [["bench.qasm", data]],
    languageFeatures: [],
    profile: "unrestricted",
    projectType: "openqasm",
  };
  return { compiler, program, events: () => new found.QscEventTarget(false) };
}
