export {
  type BalanceCardOptions,
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
  type PairErrors,
  pairErrors,
  pairName,
  pairOf,
  qubitFigures,
} from "./calibration.ts";
export { type CardOptions, card, type Fact } from "./card.ts";
export {
  blocks,
  type Cell,
  cellHtml,
  cellText,
  code,
  type MeterOptions,
  meter,
  paragraph,
  type RichCell,
} from "./cell.ts";
export { type DeviceCardOptions, type DeviceTableOptions, deviceCard, deviceTable } from "./device.ts";
export {
  approximation,
  formatAge,
  formatBytes,
  formatCount,
  formatCredits,
  formatDuration,
  formatMagnitude,
  formatMoment,
  formatNumber,
  formatPercent,
  formatUtc,
  formatValue,
  missing,
} from "./format.ts";
export { type GroupCardOptions, groupCard, groupTable } from "./group.ts";
export { type HtmlValue, html, raw, SafeHtml } from "./html.ts";
export { type JobTableOptions, jobCard, jobTable, summaryCard, type TimeReference } from "./job.ts";
export {
  categories,
  errorColor,
  errorDomain,
  errorShare,
  faint,
  figures,
  neutral,
  neutrals,
  series,
  type Tone,
  tone,
} from "./palette.ts";
export {
  type FailedJob,
  failureList,
  type JobsProgress,
  jobsProgressView,
  type Progress,
  type ProgressView,
  progressView,
} from "./progress.ts";
export { type ProvenanceRecord, provenanceCard } from "./provenance.ts";
export {
  type Drawing,
  expectedFacts,
  type PreparedRun,
  picture,
  type QuoteState,
  quoteCard,
  quoteText,
  runCard,
} from "./run.ts";
export {
  overlap,
  type Spending,
  type SpendingRow,
  type SpendingSums,
  spendingTable,
  spendingText,
} from "./spending.ts";
export {
  countStatuses,
  type StatusBarOptions,
  type StatusCounts,
  statusBar,
  statusCell,
  statusCountsText,
  statusStyle,
} from "./status.ts";
export { type Column, type TableOptions, table } from "./table.ts";
export { clip, clipLines, clipMiddle, pad, singleLine, terminalWidth, visible } from "./text.ts";
