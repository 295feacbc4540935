import type { Notice } from "@/server/http/staff/sign-in-view";

/**
 * Explains the result of a sign-in. An unknown address, a wrong password and a disabled operator share one sentence.
 */
export function sentenceOf(notice: Notice, issuer: string | null): string {
  switch (notice.kind) {
    case "wrong":
      return "Incorrect email or password.";
    case "wrong_code":
      return "That code isn’t valid. Codes change every 30 seconds, and each works once.";
    case "start_again":
      return "This sign-in has expired. Please sign in again.";
    case "throttled":
      return `Too many attempts. Try again in ${duration(notice.seconds)}.`;
    case "overloaded":
      return `Sign-in is busy right now. Try again in ${duration(notice.seconds)}.`;
    case "stale":
      return "This form has expired. Please sign in again.";
    case "single_sign_on":
      return `Sign-in with ${issuer ?? "single sign-on"} failed. Please try again.`;
    case "no_operator":
      return `No operator matches the verified email address from ${issuer ?? "single sign-on"}. Ask an admin to add you.`;
    case "signed_out":
      return "You’re signed out.";
    case "failed":
      return `An internal error occurred. Request ID: ${notice.requestId}`;
    default:
      return notice satisfies never;
  }
}

function duration(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
