OPENQASM 3.0;
include "stdgates.inc";
int n = 1;
bit[4] c;
qubit[4] q;
{ int n = 5; c = uint[4](n); }
if (n == 1) { int m = n; n = m; int c = 3; }
gate rotated(t) n { rx(t) n; }
rotated(2 * pi) q[0];
// gives 0101
