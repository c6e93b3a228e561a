OPENQASM 2.0;
include "qelib1.inc";
gate both(t) a, b { u1(t ^ 2 / t) a; cx a, b; barrier a, b; u3(0, -t, 0) b; }
opaque unused(t) a, b;
qreg q[3];
creg c[2];
creg d[1];
x q[0];
both(pi / 2) q[0], q[1];
if (c == 0) x q[2];
cx q[0], q[1];
measure q[0] -> c[0];
measure q[1] -> c[1];
measure q[2] -> d[0];
if (c == 3) x q[2];
reset q[2];
// gives 1 01
