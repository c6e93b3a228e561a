OPENQASM 3.0;
include "stdgates.inc";
const float θ = π;
qubit γ;
bit измерение;
rx(θ) γ; // a half turn
rz(τ / ℇ) γ; /* and
   another one */
измерение = measure γ;
// gives 1
