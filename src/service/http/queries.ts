import { z } from "zod";
import {
  DEVICE_STATUSES,
  DEVICE_TYPES,
  GROUP_STATUSES,
  isTimeZone,
  JOB_STATUSES,
  LIMITS,
  OTHER_VENDORS,
  OWN_VENDOR,
  PREFERS_PACKED,
} from "../../contract/index.ts";
import type { Context } from "../context.ts";

/** A vendor in a query: one that the interface names or a device has, be it imported since. */
function vendorOf({ catalogue, vendor = OWN_VENDOR }: Context, ...more: string[]) {
  const known = () => {
    const ofDevices = Array.from(catalogue.values(), device => device.vendor);
    return [...new Set([...OTHER_VENDORS, vendor, ...ofDevices, ...more])];
  };
  return z
    .string()
    .refine(text => known().includes(text), { error: () => `must be one of ${known().join(", ")}` })
    .meta({ override: { type: "string", enum: known() } })
    .optional();
}

/** A whole number in a query, from `min` to `max`, and what it is when it is left out. */
export const integer = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta({ override: { type: "integer", minimum: min, maximum: max, default: fallback } });

const boolean = () =>
  z
    .enum(["true", "false"])
    .transform(word => word === "true")
    .meta({ override: { type: "boolean" } });

const search = () => z.string().min(1).max(LIMITS.maxSearchLength).optional();

const paged = (limit: number) => ({
  page: integer(1, 1e9, 1),
  limit: integer(1, LIMITS.maxPageSize, limit),
});

const jsonOf = <T>(inner: z.ZodType<T>, what: string) =>
  z
    .string()
    .max(128 * 1024)
    .transform((text, context) => {
      try {
        const value: unknown = JSON.parse(text);
        if (!Object.hasOwn(Object(value), "__proto__")) return value;
        context.addIssue({ code: "custom", message: "must not have a member __proto__" });
      } catch {
        context.addIssue({ code: "custom", message: `must be ${what}` });
      }
      return z.NEVER;
    })
    .pipe(inner)
    .meta({ override: { type: "string", description: what } });

/** Query of getDeviceCalibrations: `at` is an extension of the interface. */
export const calibrationQuery = z.object({
  at: z.iso.datetime({ offset: true }).describe("time of the calibration, now if left out").optional(),
});

export const jobsQuery = (context: Context) =>
  z.object({
    vendor: vendorOf(context, "all"),
    provider: z.string().max(LIMITS.maxSearchLength).optional(),
    statusGroup: z.enum(["all", "pending", "returned"]).optional(),
    status: z.enum(JOB_STATUSES).optional(),
    search: search(),
    tags: jsonOf(
      z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .refine(tags => Object.keys(tags).length <= LIMITS.maxTagsAsked, {
          error: `must name at most ${LIMITS.maxTagsAsked} tags`,
        }),
      "a JSON object of tags and values",
    ).optional(),
    ...paged(LIMITS.defaultJobPageSize),
  });

export const quoteQuery = z.object({
  deviceQrn: z.string().min(1).max(LIMITS.maxSeriesQrnLength),
  shots: integer(1, LIMITS.maxShots, LIMITS.defaultQuotedShots),
  programs: integer(1, LIMITS.maxPrograms, 1),
  seconds: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .describe("seconds that a simulator, or all shots on a QPU, are expected to take")
    .optional(),
});

export const deleteQuery = z.object({
  qrns: jsonOf(z.array(z.string().min(1)).min(1).max(LIMITS.maxDeleted), "a JSON array of job QRNs"),
});

export const devicesQuery = (context: Context) =>
  z.object({
    qrn: z.string().optional(),
    vendor: vendorOf(context),
    providerId: z.string().optional(),
    deviceType: z.enum(DEVICE_TYPES).optional(),
    status: z.enum(DEVICE_STATUSES).optional(),
    retired: boolean().optional(),
    private: boolean().optional(),
    verified: boolean().optional(),
    directAccess: boolean().optional(),
    search: search(),
    sortBy: z
      .enum(["name", "vendor", "deviceType", "status", "numberQubits", "createdAt", "updatedAt"])
      .optional(),
    sortOrder: z.enum(["asc", "desc"]).default("asc"),
    ...paged(LIMITS.defaultDevicePageSize),
  });

export const groupsQuery = z.object({
  status: z.enum(GROUP_STATUSES).optional(),
  ...paged(LIMITS.defaultGroupPageSize),
});

const timezone = z
  .string()
  .max(LIMITS.maxTimezoneLength)
  .refine(name => isTimeZone(name) && !/^[+-]/.test(name), {
    error: "must be an IANA timezone, such as Europe/Berlin",
  });

export const seriesQuery = z.object({
  deviceQrn: z.string().min(1).max(LIMITS.maxSeriesQrnLength),
  days: integer(0, LIMITS.maxSeriesDays, LIMITS.defaultSeriesDays),
  timezone: timezone.default("UTC"),
});

const MAX_WAIT_SECONDS = 10;

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=[;,]|$)/i;

/** Reads for how many milliseconds a request would rather wait than be answered at once, from its `Prefer` header (RFC 7240). */
export function readWait(prefer: string | undefined): number {
  const [, seconds = 0] = WAIT.exec(prefer ?? "") ?? [];
  return Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
}

/** Whether a request prefers packed counts and a packed memory, by its `Prefer` header. */
export const prefersPacked = (prefer = ""): boolean =>
  prefer.split(/[,;]/).some(each => each.trim().toLowerCase() === PREFERS_PACKED);
