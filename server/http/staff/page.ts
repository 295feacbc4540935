import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { PATH_HEADER } from "@/server/http/exchange";
import { signInLink } from "@/server/http/staff/return-path";
import { staffOf } from "@/server/http/staff/staff-request";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { SignedIn } from "@/server/services/staff/procedure/staff-context";

/** Who is signed in and what they may call, for server components; one look for a page and its layouts. Leads to the sign-in page otherwise. */
export const staffPage = cache(async (): Promise<{ operator: SignedIn; api: StaffCaller }> => {
  const sent = await headers();
  const context = await staffOf({ headers: sent });
  if (!context.operator) redirect(signInLink(sent.get(PATH_HEADER)));
  return { operator: context.operator, api: staffCaller(context) };
});
