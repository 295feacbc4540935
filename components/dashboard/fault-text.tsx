import { TRPCClientError } from "@trpc/client";
import type { ReactNode } from "react";
import { signInLink } from "@/server/http/staff/return-path";
import type { StaffError } from "@/server/services/staff/procedure/error-shape";

const unreachable = "Almanac can’t be reached. Check your connection and try again.";

/** Why an action was not done, in a sentence for the person who asked for it: the procedure's own, when it was reached. */
export function faultText(error: unknown): string {
  return error instanceof TRPCClientError && error.data ? error.message : unreachable;
}

/** The same, with a link to the sign-in page for operators who are signed out. */
export function faultOf(error: unknown): ReactNode {
  return isSignedOut(error) ? <SignedOut /> : faultText(error);
}

/** Whether a call was refused because nobody is signed in any more. */
export function isSignedOut(error: unknown): boolean {
  const data = error instanceof TRPCClientError ? (error.data as StaffError["data"] | undefined) : undefined;
  return data?.refusal?.kind === "signed_out";
}

/** The page is loaded again on the way, so that nothing of the session that ended stays. */
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
