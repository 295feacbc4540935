import { endpoint } from "@/server/http/endpoint";
import { type FormPageOptions, formPage, leadOn } from "@/server/http/staff/form-page";
import { visitorOf } from "@/server/http/staff/form-request";
import { returnPath, SIGN_IN_PATH, signInLink } from "@/server/http/staff/return-path";
import { endedStep, pendingStep } from "@/server/http/staff/second-step";
import type { RenderSecondStep, SecondStepView } from "@/server/http/staff/second-step-view";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const others = endpoint([], "GET, HEAD");

/** Builds the exports of the page of a sign-in's second step. Without a pending sign-in it leads to the first. */
export function secondStepPageEndpoint(render: RenderSecondStep) {
  const open = (request: Request) => {
    const from = returnPath(new URL(request.url).searchParams.get("from"));
    return pendingStep(request) === null
      ? leadOn(signInLink(from))
      : secondStepPage(request, render, { from, notice: null });
  };
  return { ...others, GET: open, HEAD: open };
}

/** Leads to the first step of a sign-in, and says why. */
export function startAgain(): Response {
  return leadOn(`${SIGN_IN_PATH}?note=start_again`, [endedStep()]);
}

interface SecondStepPageInput extends FormPageOptions, Pick<SecondStepView, "from" | "notice"> {}

/** Builds the page of a pending sign-in: the field for a code, or what is to be set up first. */
export async function secondStepPage(
  request: Request,
  render: RenderSecondStep,
  { from, notice, ...options }: SecondStepPageInput,
): Promise<Response> {
  const pending = pendingStep(request);
  const step = pending && (await signInCaller(visitorOf(request)).seeSecondStep({ pending }));
  if (!step) return startAgain();
  return formPage(request, (page) => render({ notice, from, step, recoveryCodes: [], ...page }), options);
}

interface RecoveryCodesInput extends FormPageOptions, Pick<SecondStepView, "from" | "recoveryCodes"> {}

/** Builds the page that shows the recovery codes of a second factor that was just set up. */
export function recoveryCodesPage(
  request: Request,
  render: RenderSecondStep,
  { from, recoveryCodes, ...options }: RecoveryCodesInput,
): Promise<Response> {
  return formPage(request, (page) => render({ notice: null, from, step: null, recoveryCodes, ...page }), options);
}
