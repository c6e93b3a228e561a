OPENQASM 3.0;
bool[4] flag;
int n[8];
int[8] def;
input int[8] m = 32;
int k; int k;
complex[int[8]] z;
// refused at 2:5 has no width
// refused at 3:6 comes before the name
// refused at 4:8 word of the language
// refused at 5:16 takes its value from outside
// refused at 6:12 declared already
// refused at 7:9 floats
