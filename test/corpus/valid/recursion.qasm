OPENQASM 3.0;
def gcd(uint[8] a, uint[8] b) -> uint[8] {
  if (b == 0) return a;
  return gcd(b, a % b);
}
bit[7] c;
uint[8] found = gcd(198, 132);
c = bit[8](found)[0:6];
// gives 1000010
