OPENQASM 3.0;
array[int[16], 2, 3] m = {{1, 2, 3}, {4, 5, 6}};
array[int[16], 3] row = m[1];
array[float[64], 2] pair = {0.5, 1.5};
const uint columns = sizeof(m, 1);
def total(readonly array[int[16], #dim = 1] values) -> int[16] {
  int[16] sum = 0;
  for int[16] value in values { sum += value; }
  return sum;
}
def scale(mutable array[float[64], 2] values, float[64] by) {
  for int i in [0:sizeof(values) - 1] { values[i] *= by; }
}
row[0:1] = m[0, 1:2];
scale(pair, 2.0);
bit[8] result;
int[16] sum = total(row) + total(m[0]) + int[16](pair[0] + pair[1]) + int[16](columns) - 2;
uint[8] low = uint[8](sum);
low += 0;
result = low;
m[0][0] = row[2];
// gives 00010110
