OPENQASM 3.0;
int n = 1; qubit q;
def f() { int m = n; }
if (true) { int inner = 1; }
if (true) { inner = 2; }
// refused at 3:19 cannot see
// refused at 5:13 not declared
