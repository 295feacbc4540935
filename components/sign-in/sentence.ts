import type { Notice } from "@/server/http/staff/sign-in-view";

/** What the page says of how it went. An unknown address, a wrong password and a disabled operator are one sentence. */
export function sentenceOf(notice: Notice, issuer: string | null): string {
  switch (notice.kind) {
    case "wrong":
      return "That e-mail address and password don't belong together.";
    case "throttled":
      return `Too many tries. Try again in ${duration(notice.seconds)}.`;
    case "overloaded":
      return `Sign-in is busy right now. Try again in ${duration(notice.seconds)}.`;
    case "stale":
      return "This form can't be used any more. Please sign in once more.";
    case "single_sign_on":
      return `Signing in with ${issuer ?? "single sign-on"} didn't work. Nothing was changed; please try again.`;
    case "no_operator":
      return `Nobody who may sign in here has the verified e-mail address that ${issuer ?? "single sign-on"} gave. An admin can add you.`;
    case "signed_out":
      return "You are signed out.";
    case "failed":
      return `Something failed on our side. It is in the log under ${notice.requestId}.`;
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
