OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit result;
def teleport(qubit source, qubit middle, qubit target) {
  bit[2] syndrome;
  h middle;
  cx middle, target;
  cx source, middle;
  h source;
  syndrome[0] = measure source;
  syndrome[1] = measure middle;
  if (syndrome[1]) x target;
  if (syndrome[0]) z target;
}
x q[0];
teleport(q[0], q[1], q[2]);
result = measure q[2];
// gives 1
