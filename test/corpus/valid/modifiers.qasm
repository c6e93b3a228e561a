OPENQASM 3.0;
include "stdgates.inc";
gate pair a, b { h a; cx a, b; }
qubit[4] q;
bit[4] c;
x q[1];
ctrl @ x q[1], q[2];
negctrl @ ctrl @ x q[0], q[2], q[3];
pair q[0], q[1];
inv @ pair q[0], q[1];
pow(1 / 2) @ x q[0];
pow(0.5) @ x q[0];
pow(-1) @ x q[0];
pow(1 / 3) @ pair q[0], q[1];
pow(-1 / 3) @ pair q[0], q[1];
ctrl(2) @ gphase(2 * pi) q[0], q[1];
c = measure q;
// gives 1110
