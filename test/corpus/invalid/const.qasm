OPENQASM 3.0;
const int n;
int m = 2; const int l = 1;
const int k = m;
l = 3;
// refused at 2:11 needs a value
// refused at 4:15 not known before
// refused at 5:1 is a constant
