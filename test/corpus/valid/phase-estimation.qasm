OPENQASM 3.1;
include "stdgates.inc";
// Iterative: the phase of p(2 * pi * 3 / 16), bit by bit, with an angle as the accumulator.
const uint n = 4;
const float theta = 2 * pi * 3 / 2 ** n;
qubit probe;
qubit target;
bit[n] estimate;
angle[n] correction = 0;
x target;
for int k in [n - 1:-1:0] {
  reset probe;
  h probe;
  ctrl @ pow(2 ** k) @ p(theta) probe, target;
  p(-correction) probe;
  h probe;
  bit outcome = measure probe;
  estimate[n - 1 - k] = outcome;
  correction >>= 1;
  if (outcome) { correction += angle[n](pi / 2); }
}
// gives 0011
