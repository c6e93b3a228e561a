OPENQASM 3.0;
include "stdgates.inc";
defcalgrammar "openpulse";
cal { extern drive(complex[float[32]]) -> duration; }
defcal x $0 { play(drive, gaussian(100, 30, 5)); }
pragma simulator.noise none
stretch gap;
duration half = durationof({ x $0; delay[40ns] $0; }) / 2;
bit c;
@timing.aligned
box [2us] {
  delay[half + 2 * gap] $0;
  x $0;
  delay[100dt] $0;
  nop $1;
}
barrier $0;
c = measure $0;
// gives 1
