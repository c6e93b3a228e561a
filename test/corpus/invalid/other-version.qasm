OPENQASM 2.0;
qreg q[1];
// refused at 1:10 handed in as qasm3
