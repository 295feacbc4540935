import { TRPCError } from "@trpc/server";
import { refusalOf } from "@/server/http/responses";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";

export type Reading<T> = { value: T; fault?: undefined } | { value?: undefined; fault: string };

/** What was read, or why it was refused, as a sentence. Anything else that goes wrong is the error page's. */
export async function reading<T>(work: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await work };
  } catch (error) {
    const reason = refusalOf(error);
    if (reason) return { fault: sentenceOf(reason) };
    if (error instanceof TRPCError && error.code === "BAD_REQUEST") return { fault: error.message };
    throw error;
  }
}
