import { z } from "zod";
import { type Pagination, paginate, paginationOf } from "../contract/envelope.ts";
import { tolerant } from "../contract/kit.ts";
import type { Answer } from "./transport.ts";

/** One page of a list. */
export interface Page<T> {
  rows: T[];
  pagination: Pagination;
}

const pagination = paginationOf(tolerant);

/** Makes a reader of list answers. A service that says nothing of pages is taken to have sent everything. */
export function pageReader<T>(row: z.ZodType<T>) {
  const read = ({ data, whole }: Answer<T[]>): Page<T> => {
    const said = pagination.safeParse(whole.pagination);
    return { rows: data, pagination: said.data ?? paginate(1, Math.max(1, data.length), data.length) };
  };
  return Object.assign(read, { rows: z.array(row) });
}
