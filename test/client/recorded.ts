/** Records in the shapes in which hosted services were seen to answer; their values are made up. */

const annealer = {
  _id: "68a0c0ffee00000000000001",
  __v: 0,
  vrn: "vector_annealer",
  qrn: "svc:nec:sim:vector-annealer",
  name: "Vector annealer",
  vendor: "svc",
  providerId: "68a0c0ffee00000000000002",
  deviceType: "SIMULATOR",
  paradigm: "annealing",
  modality: null,
  numberQubits: null,
  status: "OFFLINE",
  statusMsg: null,
  visibility: "public",
  verified: "verified",
  activeVersion: "v2",
  image: null,
  runInputTypes: ["qubo"],
  noiseModels: [],
  pricing: { perTask: 0, perShot: 0, perMinute: 0 },
  pricingModel: "fixed",
  queueDepth: 0,
  directAccess: true,
  createdAt: "2026-08-15T21:37:29.556Z",
};

/** Devices. */
export const devices: Record<string, Record<string, unknown>> = {
  "an annealer without qubits, topology or noise": annealer,
  "an analog machine with prices": {
    ...annealer,
    qrn: "aws:quera:qpu:atoms",
    name: "Atoms",
    deviceType: "QPU",
    paradigm: "analog",
    modality: "neutral atom",
    numberQubits: 256,
    status: "ONLINE",
    pricing: { perTask: 30, perShot: 1, perMinute: 0 },
  },
  "one with a price of which members are null": {
    ...annealer,
    qrn: "aws:iqm:qpu:a",
    pricing: { perTask: 30, perShot: null, perMinute: null },
  },
  "one with a price without members": { ...annealer, qrn: "aws:iqm:qpu:b", pricing: {} },
  "one with an undocumented topology": {
    ...annealer,
    qrn: "aws:iqm:qpu:clipped",
    numberQubits: 4,
    topology: { type: "square-lattice-clipped", rowSpans: [[0, 1]] },
  },
  "one with a topology that lacks its members": {
    ...annealer,
    qrn: "aws:iqm:qpu:c",
    topology: { type: "coupling-map" },
  },
  "one of an undocumented type, status and paradigm": {
    ...annealer,
    qrn: "a:b:qpu:d",
    deviceType: "HYBRID",
    status: "CALIBRATING",
    paradigm: "measurement_based",
  },
  "one that is only named": { qrn: "a:b:qpu:e" },
};

const analog = {
  _id: "696a938393f44d9db4277001",
  jobQrn: "aws:quera:qpu:atoms-37f5-qjob-696a938393f44d9db4277002",
  batchJobQrn: null,
  name: "Analog job",
  deviceQrn: "aws:quera:qpu:atoms",
  deviceId: { _id: "689fa8990970e91064666001", name: "Atoms", pricing: { perTask: 30 } },
  device: { qrn: "aws:quera:qpu:atoms", name: "Atoms" },
  vendor: "aws",
  provider: "quera",
  experimentType: "analog",
  status: "COMPLETED",
  statusMsg: null,
  queuePosition: null,
  shots: 100,
  estimatedCost: 0.015,
  cost: "130.0",
  tags: {},
  metadata: {},
  runtimeOptions: {},
  timeStamps: {
    createdAt: "2026-01-16T21:31:24.447123+00:00",
    endedAt: "2026-01-16T22:33:27.771+01:00",
    executionDuration: null,
  },
  createdAt: "2026-01-16T21:31:20.111Z",
};

/** Jobs. */
export const jobs: Record<string, Record<string, unknown>> = {
  "an analog one that has no execution duration": analog,
  "an annealing one without shots": { ...analog, jobQrn: "q1", experimentType: "annealing", shots: null },
  "one that has just been made, without times": {
    ...analog,
    jobQrn: "q2",
    status: "INITIALIZING",
    timeStamps: null,
    cost: null,
  },
  "one with a tag without a value": { ...analog, jobQrn: "q3", tags: { a: null, b: 1 } },
  "one in an undocumented status, and why in a provider's words": {
    ...analog,
    jobQrn: "q4",
    status: "PAUSED",
    statusMsg: "Traceback (most recent call last):\n  <b>boom</b>",
  },
  "one whose members have other shapes": {
    ...analog,
    jobQrn: "q5",
    name: { text: "x" },
    shots: "many",
    tags: ["a"],
    metadata: "none",
    timeStamps: "today",
    cost: {},
    statusMsg: { code: 7 },
    queuePosition: "soon",
  },
  "one that is only named": { jobQrn: "q6" },
};

/** Groups. */
export const groups: Record<string, Record<string, unknown>> = {
  "one in an undocumented status": {
    groupJobQrn: "group:1",
    status: "DRAINING",
    jobCount: 2,
    tags: { a: null },
  },
  "one whose counts are partly missing": {
    groupJobQrn: "group:2",
    status: "OPEN",
    jobCount: 2,
    failedCount: null,
  },
  "one that is only named": { groupJobQrn: "group:3" },
};

/** Quotes of 50 shots on `a:b:qpu:c`. */
export const quotes: Record<string, Record<string, unknown>> = {
  "one without breakdown and basis": {
    pricingAvailable: true,
    estimatedCost: "7.5",
    deviceQrn: "a:b:qpu:c",
    shots: 50,
  },
  "one of which only the sum is there": { estimatedCost: 7.5 },
  "one with a breakdown of which a member is null": {
    pricingAvailable: true,
    estimatedCost: 7.5,
    deviceQrn: "a:b:qpu:c",
    shots: 50,
    breakdown: { task: 7.5, shots: null, time: null },
    basis: "prices",
  },
  "none, for an undocumented reason": {
    pricingAvailable: false,
    reason: "maintenance",
    deviceQrn: "a:b:qpu:c",
  },
  "none, for no reason": { pricingAvailable: false },
};

/** Calibrations of `a:b:qpu:c`. */
export const calibrations: Record<string, Record<string, unknown>> = {
  "one of a machine with two names, with errors of one kind": {
    physicalDeviceId: "b:C",
    deviceQRNs: ["a:b:qpu:c", "z:b:qpu:c"],
    provider: "b",
    lastCalibrated: "2026-07-21T18:55:46+00:00",
    fetchedAt: "2026-07-21T19:00:18.386133+00:00",
    qubits: { "0": { readoutError: 0.04, gateError: { rb: 0.0018 } }, "1": { gateError: { rb: 0.0021 } } },
    edges: { gateError: { cz: [{ source: 0, target: 1, value: 0.0085 }] } },
  },
  "one with nothing of pairs": {
    deviceQRNs: ["a:b:qpu:c"],
    qubits: { "0": { T1: "12.5" } },
    edges: { gateError: {} },
  },
  "one with figures that are missing": {
    deviceQrn: "a:b:qpu:c",
    qubits: { "0": { T1: null, gateError: { sx: null, x: 0.01 } }, "1": null, "2": "broken" },
    edges: {
      gateError: {
        cz: [
          { source: 0, target: 1, value: null },
          { source: 1, target: 2, value: 0.02 },
        ],
        ecr: null,
      },
    },
  },
  "one without anything": {},
};
