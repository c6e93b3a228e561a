OPENQASM 3.0;
include "qelib1.inc";
qubit q;
phase(pi) q;
// refused at 4:1 add `include
