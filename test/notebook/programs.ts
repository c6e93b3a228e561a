import { qasm } from "../../src/index.ts";

/** Two qubits that always agree. */
export const bell = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  qubit[2] q;
  bit[2] c;
  h q[0];
  cx q[0], q[1];
  c = measure q;
`;

/** A program that runs until it is cancelled. */
export const endless = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  qubit[20] q;
  bit[20] c;
  for int i in [0:100000] { h q; cx q[0], q[1]; rx(0.1) q; }
  c = measure q;
`;
