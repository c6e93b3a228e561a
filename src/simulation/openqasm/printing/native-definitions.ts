/** Definitions of hardware gates that OpenQASM's libraries lack. */
export const NATIVE_DEFINITIONS: Readonly<Record<string, string>> = {
  prx: "gate prx(theta, phi) q { rz(-phi) q; rx(theta) q; rz(phi) q; }",
  gpi: "gate gpi(phi) q { rz(-phi) q; x q; rz(phi) q; }",
  gpi2: "gate gpi2(phi) q { rz(-phi) q; rx(pi / 2) q; rz(phi) q; }",
  ecr: "gate ecr a, b { s a; sx b; cx a, b; x a; }",
  zz: "gate zz(theta) a, b { cx a, b; rz(theta) b; cx a, b; }",
  ms: "gate ms(phi0, phi1, theta) a, b { rz(-phi0) a; rz(-phi1) b; h a; h b; cx a, b; rz(theta) b; cx a, b; h a; h b; rz(phi0) a; rz(phi1) b; }",
};

/**
 * Definitions of OpenQASM 2 gates with parameters that have another phase or no name in OpenQASM 3; `NAME`
 * stands for the name.
 */
export const QELIB1_DEFINITIONS: Readonly<Record<string, string>> = {
  U: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u3: "gate NAME(theta, phi, lambda) q { U(theta, phi, lambda) q; gphase(-theta / 2); }",
  u2: "gate NAME(phi, lambda) q { U(pi / 2, phi, lambda) q; gphase(-pi / 4); }",
  u0: "gate NAME(gamma) q { id q; }",
  cu1: "gate NAME(lambda) a, b { cp(lambda) a, b; }",
  cu3: "gate NAME(theta, phi, lambda) a, b { ctrl @ U(theta, phi, lambda) a, b; p(-theta / 2) a; }",
};
