import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { PATH_HEADER } from "@/server/http/exchange";
import { refusalOf } from "@/server/http/responses";
import { pageMustWait } from "@/server/http/staff/page-response";
import { signInLink } from "@/server/http/staff/return-path";
import { staffOf } from "@/server/http/staff/staff-request";
import { longestWait } from "@/server/services/refusal";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

/** Who is signed in and what they may call, for server components; one look for a page and its layouts. Leads to the sign-in page otherwise. */
export const staffPage = cache(async (): Promise<{ operator: SignedInOperator; api: StaffCaller }> => {
  const sent = await headers();
  const context = await staffOf({ headers: sent }).catch((error) => {
    throw digested(error);
  });
  if (!context.operator) redirect(signInLink(sent.get(PATH_HEADER)));
  const api = staffCaller(context, { onError: ({ error }) => void digested(error) });
  return { operator: context.operator, api };
});

/**
 * Puts how long to wait in the digest of an error that passes, because a page learns only the digest of an error on the
 * server (components/dashboard/page-fault.tsx).
 */
function digested(error: unknown): unknown {
  const reason = refusalOf(error);
  const wait = reason && longestWait([reason]);
  if (wait !== null) pageMustWait(wait);
  return wait !== null && error instanceof Error ? Object.assign(error, { digest: `busy;${wait}` }) : error;
}
