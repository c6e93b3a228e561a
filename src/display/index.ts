export {
  balanceCard,
  dailyUsageTable,
  pricingTable,
  type SimulatorDay,
  usageMatrix,
  usageParts,
  usageSeriesTable,
  usageTable,
} from "./account.ts";
export {
  type Displayable,
  displayable,
  displayMetadata,
  isDisplayable,
  isSettling,
  jupyterDisplay,
  type MimeBundle,
  pictureMarkup,
  type RenderedView,
  type SettlingDisplay,
  setShow,
  show,
} from "./bundle.ts";
export {
  median,
  medianPairError,
  oneQubitGate,
  type Pair,
  pairErrors,
  pairName,
  pairOf,
  qubitFigures,
} from "./calibration.ts";
export {
  blocks,
  type Cell,
  card,
  code,
  type Fact,
  html,
  meter,
  paragraph,
  type RichCell,
  raw,
  SafeHtml,
} from "./cell.ts";
export { deviceCard, deviceTable } from "./device.ts";
export {
  approximation,
  formatAge,
  formatBytes,
  formatCount,
  formatCredits,
  formatDuration,
  formatInterval,
  formatMagnitude,
  formatMoment,
  formatNumber,
  formatPercent,
  formatUtc,
  formatValue,
  missing,
} from "./format.ts";
export { groupCard, groupTable } from "./group.ts";
export { jobCard, jobTable, summaryCard } from "./job.ts";
export {
  categories,
  errorColor,
  errorDomain,
  errorShare,
  figures,
  neutral,
  neutrals,
  series,
  tone,
} from "./palette.ts";
export { jobsProgressView, type ProgressView, progressView } from "./progress.ts";
export { type ProvenanceRecord, provenanceCard } from "./provenance.ts";
export { type Drawing, expectedFacts, picture, type QuoteState, quoteCard, runCard } from "./run.ts";
export {
  overlap,
  type Spending,
  type SpendingRow,
  type SpendingSums,
  spendingTable,
  spendingText,
} from "./spending.ts";
export { countStatuses, type StatusCounts } from "./status.ts";
export { type Column, numbers, table } from "./table.ts";
export {
  clip,
  clipLines,
  clipMiddle,
  dotted,
  pad,
  present,
  singleLine,
  terminalWidth,
  visible,
} from "./text.ts";
