OPENQASM 3.0;
qubit q;
h q;
// refused at 3:1 add `include
