OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q; bit[3] c;
cx q[0] q[1];
hh q[0];
h w;
cx q[3], q[0];
// refused at 4:8 comma
// refused at 5:1 There is no gate hh
// refused at 6:3 w is not declared
// refused at 7:6 index 3 is outside q
