OPENQASM 3.0;
include "stdgates.inc";
// A ripple-carry adder: 11 + 10.
gate majority a, b, c { cx c, b; cx c, a; ccx a, b, c; }
gate unmajority a, b, c { ccx a, b, c; cx c, a; cx a, b; }
const uint n = 4;
uint[n] first = 11;
uint[n] second = 10;
qubit carry;
qubit[n] a;
qubit[n] b;
qubit overflow;
bit high;
bit[n + 1] sum;
for uint i in [0:n - 1] {
  if (bool(first[i])) x a[i];
  if (bool(second[i])) x b[i];
}
majority carry, b[0], a[0];
for uint i in [0:n - 2] majority a[i], b[i + 1], a[i + 1];
cx a[n - 1], overflow;
for uint i in [n - 2:-1:0] unmajority a[i], b[i + 1], a[i + 1];
unmajority carry, b[0], a[0];
sum[0:n - 1] = measure b;
high = measure overflow;
// gives 00101 1
