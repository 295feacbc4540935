import { TRPCClientError } from "@trpc/client";
import type { ReactNode } from "react";
import { signInLink } from "@/server/http/staff/return-path";
import type { StaffError } from "@/server/services/staff/procedure/error-shape";

const unreachable = "Almanac can’t be reached. Check your connection and try again.";

/** Explains in a sentence why an action failed: in the procedure's words, if it was reached. */
export function faultText(error: unknown): string {
  return error instanceof TRPCClientError && error.data ? error.message : unreachable;
}

/** Explains why an action failed, or links operators whose session has ended to the sign-in page. */
export function faultOf(error: unknown): ReactNode {
  return isSignedOut(error) ? <SignedOut /> : faultText(error);
}

/** Checks whether a call was refused because the session has ended. */
export function isSignedOut(error: unknown): boolean {
  const data = error instanceof TRPCClientError ? (error.data as StaffError["data"] | undefined) : undefined;
  return data?.refusal?.kind === "signed_out";
}

/** Links to the sign-in page with a full page load, so that nothing of the ended session stays. */
function SignedOut() {
  return (
    <>
      You’re signed out.{" "}
      <a href={signInLink(location.pathname + location.search)} className="underline underline-offset-2">
        Sign in again
      </a>
      .
    </>
  );
}
