import { endpoint } from "@/server/http/endpoint";
import { refusalOf } from "@/server/http/responses";
import { leadOn } from "@/server/http/staff/form-page";
import {
  admit,
  browserOf,
  formOf,
  issuerResponse,
  knowBrowser,
  throttled,
  visitorOf,
} from "@/server/http/staff/form-request";
import { invitationPage } from "@/server/http/staff/invitation-page";
import type { InvitationField, RenderInvitation } from "@/server/http/staff/invitation-view";
import { returnPath, SIGN_IN_PATH, secondStepLink } from "@/server/http/staff/return-path";
import { askInSteps, stepCookie } from "@/server/http/staff/second-step";
import { note } from "@/server/http/staff/sign-in-failure";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const others = endpoint([], "POST");

type Form = Record<string, string>;
type Show = (shown: Omit<Parameters<typeof invitationPage>[2], "token" | "name">) => Promise<Response>;

/** Builds the exports of the route that an invitation's form is sent to. */
export function invitationEndpoint(render: RenderInvitation) {
  const accept = async (request: Request) => {
    const form = await formOf(request);
    const { token = "", name = "" } = form ?? {};
    const show: Show = (shown) => invitationPage(request, render, { token, name, ...shown });
    try {
      if (!form) return await show(stale);
      const held = await throttled(request, null);
      if (held) return await show(held);
      return await (form.way === "issuer" ? byIssuer(request, form, show) : byPassword(request, form, show));
    } catch (error) {
      const faults = faultsOf(error);
      if (faults) return show({ faults, status: 422 });
      return show(note(request, error));
    }
  };
  return { ...others, POST: accept };
}

const stale = { notice: { kind: "stale" }, status: 400 } as const;

async function byPassword(request: Request, form: Form, show: Show): Promise<Response> {
  const { token = "", name = "", password = "", again = "", csrfToken = "" } = form;
  if (password !== again) return show({ faults: { again: "The passwords don’t match." }, status: 422 });
  const signIn = signInCaller(visitorOf(request));
  const emails: string[] = [];
  const { sessionId, cookies, pending } = await askInSteps(request, { email: "", password, csrfToken }, async () => {
    const accepted = await signIn.byInvitation({ token, name, password, ...browserOf(request) });
    if (accepted.kind !== "accepted_now") return null;
    emails.push(accepted.email);
    return accepted.signIn;
  });
  if (pending !== null) return leadOn(secondStepLink(null), [...cookies, stepCookie(pending)]);
  if (sessionId === undefined) return show(stale);
  const [email] = emails;
  // The page itself says why a link does not work any more.
  if (sessionId === null || email === undefined) return show({});
  knowBrowser(request, email);
  return admit(request, returnPath(null), cookies);
}

/**
 * Accepts an invitation by single sign-on: whoever holds the link gets an operator without a password, and the issuer
 * then says whether they are who was invited.
 */
async function byIssuer(request: Request, { token = "", name = "", csrfToken }: Form, show: Show): Promise<Response> {
  const signIn = signInCaller(visitorOf(request));
  const accepted = await signIn.byInvitation({ token, name, password: null, ...browserOf(request) });
  if (accepted.kind !== "accepted_now") return show({});
  const response = await issuerResponse(request, { from: returnPath(null), csrfToken });
  return response instanceof Response ? response : leadOn(`${SIGN_IN_PATH}?note=single_sign_on`);
}

/** Explains what is wrong with each field, as sentences; null for any other error. */
function faultsOf(error: unknown): Partial<Record<InvitationField, string>> | null {
  const reason = refusalOf(error);
  if (reason?.kind !== "invalid") return null;
  const faults = reason.issues.map((issue) => [
    String(issue.path[0]),
    sentenceOf({ kind: "invalid", issues: [issue] }),
  ]);
  return Object.fromEntries(faults);
}
