export {
  type BalanceCardOptions,
  balanceCard,
  pricingTable,
  usageSeriesTable,
  usageTable,
} from "./account.ts";
export {
  type Displayable,
  displayMetadata,
  isDisplayable,
  jupyterDisplay,
  type MimeBundle,
  type SettlingDisplay,
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
export { type Cell, cellHtml, cellText, code, paragraph, type RichCell } from "./cell.ts";
export { dailyUsageTable, type SimulatorDay } from "./daily-usage.ts";
export { type DeviceCardOptions, type DeviceTableOptions, deviceCard, deviceTable } from "./device.ts";
export { errorColor, errorDomain, errorShare } from "./error-ramp.ts";
export { type FailedJob, failureList } from "./failures.ts";
export {
  approximation,
  formatAge,
  formatBytes,
  formatCount,
  formatCredits,
  formatDuration,
  formatMoment,
  formatNumber,
  formatPercent,
  formatUtc,
  formatValue,
  missing,
} from "./format.ts";
export { type GroupCardOptions, groupCard, groupTable } from "./group.ts";
export { escapeHtml, type HtmlValue, html, raw, SafeHtml } from "./html.ts";
export { type JobTableOptions, jobCard, jobTable, type TimeReference } from "./job.ts";
export { type JobsProgress, jobsProgressView } from "./jobs-progress.ts";
export { blocks, type MeterOptions, meter } from "./meter.ts";
export { faint, neutral, series, type Tone, tone } from "./palette.ts";
export { type Progress, type ProgressView, progressView } from "./progress.ts";
export { type ProvenanceRecord, provenanceCard } from "./provenance.ts";
export { type QuoteState, quoteCard, quoteText } from "./quote.ts";
export { displayable, type RenderedView } from "./rendered-view.ts";
export { type Drawing, type PreparedRun, picture, runCard } from "./run.ts";
export {
  type Spending,
  type SpendingRow,
  type SpendingSums,
  spendingTable,
  spendingText,
} from "./spending.ts";
export { statusCell, statusStyle } from "./status.ts";
export {
  countStatuses,
  type StatusBarOptions,
  type StatusCounts,
  statusBar,
  statusCountsText,
} from "./status-bar.ts";
export { summaryCard } from "./summary.ts";
export { type Column, type TableOptions, table } from "./table.ts";
export { clip, clipMiddle, pad, singleLine, terminalWidth, visible } from "./text.ts";
