OPENQASM 3.0;
const int n = 1.5;
bit[2] b = "010";
bit[2] d = bit[2](2.5);
int[2000] wide;
duration t = 3us + 1.0;
// refused at 2:15 float cannot stand for an int
// refused at 3:12 bit[3] cannot stand for a bit[2]
// refused at 4:12 float cannot be turned into a bit[2]
// refused at 5:5 from 1 to 1,024
// refused at 6:14 does not take a duration
