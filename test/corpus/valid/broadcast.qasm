OPENQASM 3.0;
include "stdgates.inc";
qubit[3] a;
qubit[3] b;
bit[3] ca;
bit[3] cb;
x a[1:2];
cx a[1], b;
cx b, a;
cx b, a;
let evens = a[{0, 2}] ++ b[0:0];
barrier evens;
reset a[0];
measure a -> ca;
cb = measure b;
// gives 111 110
