import { TRPCError } from "@trpc/server";
import { refusalOf } from "@/server/http/responses";
import { pageIsMissing } from "@/server/http/staff/page-response";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";

export type Reading<T> =
  | { value: T; fault?: undefined; isMissing?: undefined }
  | { value?: undefined; fault: string /** Nothing can be what was asked for. */; isMissing: boolean };

/** Returns what was read, or why it was rejected, as a sentence. The error page handles all other errors. */
export async function reading<T>(work: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await work };
  } catch (error) {
    const reason = refusalOf(error);
    if (reason)
      return { fault: sentenceOf(reason), isMissing: reason.kind === "not_found" || reason.kind === "invalid" };
    if (error instanceof TRPCError && error.code === "BAD_REQUEST") return { fault: error.message, isMissing: true };
    throw error;
  }
}

/**
 * Returns what was read for the metadata of a page, which is computed before the page is sent, and sets its status to
 * 404 if it does not exist.
 */
export function ofPage<T>(read: Reading<T>): T | undefined {
  if (read.isMissing) pageIsMissing();
  return read.value;
}
