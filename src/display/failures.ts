import type { RichCell } from "./cell.ts";
import { formatNumber } from "./format.ts";
import { html } from "./html.ts";
import { tone } from "./palette.ts";
import { clip, singleLine } from "./text.ts";

/** A job that failed, and why. */
export interface FailedJob {
  name: string | null;
  jobQrn: string;
  statusMsg: string | null;
}

const listed = 8;

/** Lists jobs that failed with their reasons, the first eight of them; `undefined` when there is none. */
export function failureList(failures: readonly FailedJob[]): RichCell | undefined {
  if (failures.length === 0) return undefined;
  const rows = failures.slice(0, listed).map(({ name, jobQrn, statusMsg }) => ({
    name: clip(name ?? "", 60) || clip(jobQrn, 80),
    reason: clip(statusMsg ?? "", 200) || "no reason given",
  }));
  const left = failures.length - rows.length;
  const more = left > 0 && `+ ${formatNumber(left)} more failed`;
  return {
    html: html`<div style="margin:8px 0 0 0;font-size:12px">${rows.map(
      ({ name, reason }) =>
        html`<div><span style="color:${tone.bad};font-weight:700">✗</span> <strong style="font-weight:600">${name}</strong> ${reason}</div>`,
    )}${more && html`<div style="opacity:0.75">${more}</div>`}</div>`,
    text: [
      ...rows.map(({ name, reason }) => `  ✗ ${singleLine(name)}: ${singleLine(reason)}`),
      more && `  ${more}`,
    ]
      .filter(Boolean)
      .join("\n"),
  };
}
