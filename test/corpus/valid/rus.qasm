OPENQASM 3.0;
include "stdgates.inc";
// Repeated until it succeeds.
def attempt(qubit q) -> bit { reset q; h q; return measure q; }
qubit q;
bit done = 0;
while (!done) { done = attempt(q); }
// gives 1
