OPENQASM 3.0;
bit[4] low;
bit[4] high;
int n = 0;
while (true) {
  n += 1;
  if (n % 2 == 0) continue;
  if (n > 7) break;
  low[(n - 1) / 2 % 4] = 1;
}
low[3] = 0;
for uint i in {1, 3} { high[i] = true; }
switch (n) {
  case 9 { n = 1; }
  case 1, 2 { n = 2; }
  default { end; }
}
// gives 1010 0111
