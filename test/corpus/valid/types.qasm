OPENQASM 3.0;
bit[7] ok;
uint[8] small = 255;
small += 1;
ok[0] = small == 0;
int[8] least = -128;
ok[1] = -least == least;
complex[float[64]] z = 2.0 + 1.5im;
ok[2] = real(z * z) == 1.75 && imag(z) == 1.5;
duration wait = 1.5us + 500 ns;
ok[3] = wait / 1us == 2.0;
angle[6] quarter = pi / 2;
ok[4] = bit[6](quarter) == "010000";
int[32] word = 15;
word[4:7] = "1010";
ok[5] = word == 0xAF;
const bit[4] pattern = "0110";
ok[6] = popcount(pattern) == 2 && rotl(pattern, 1) == "1100" && pattern[1];
// gives 1111111
