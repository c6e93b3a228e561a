OPENQASM 3.0;
include "stdgates.inc";
gate g a { reset a; }
gate k a { rx(u) a; }
gate m(s, t) a, b { rx(s * t) a; cx a, b; } qubit[2] q;
m(1) q[0], q[1];
m(1, 2) q[0], q[0];
opaque hidden a; hidden q[0];
// refused at 3:12 can only call gates
// refused at 4:15 not declared
// refused at 6:1 takes 2 arguments
// refused at 7:15 same qubit
// refused at 8:18 opaque
