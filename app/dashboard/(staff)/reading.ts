import { TRPCError } from "@trpc/server";
import { refusalOf } from "@/server/http/responses";
import { pageIsMissing } from "@/server/http/staff/page-response";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";

export type Reading<T> =
  | { value: T; fault?: undefined; isMissing?: undefined }
  | { value?: undefined; fault: string /** Nothing can be what was asked for. */; isMissing: boolean };

/** What was read, or why it was refused, as a sentence. Anything else that goes wrong is the error page's. */
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

/** For the metadata of a page about one thing, which is there before the page is sent: of one that does not exist its status is 404. */
export function ofPage<T>(read: Reading<T>): T | undefined {
  if (read.isMissing) pageIsMissing();
  return read.value;
}
