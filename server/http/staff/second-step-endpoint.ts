import { endpoint } from "@/server/http/endpoint";
import { ask } from "@/server/http/staff/ask";
import {
  admit,
  browserOf,
  endFormer,
  formOf,
  knowBrowser,
  throttled,
  visitorOf,
} from "@/server/http/staff/form-request";
import { returnPath } from "@/server/http/staff/return-path";
import { endedStep, pendingStep } from "@/server/http/staff/second-step";
import { recoveryCodesPage, secondStepPage, startAgain } from "@/server/http/staff/second-step-page";
import type { RenderSecondStep } from "@/server/http/staff/second-step-view";
import { note } from "@/server/http/staff/sign-in-failure";
import type { SecondStepResult } from "@/server/services/staff/second-factor/second-step";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const others = endpoint([], "POST");

/** Builds the exports of the route that the form of a sign-in's second step is sent to. */
export function secondStepEndpoint(render: RenderSecondStep) {
  const take = async (request: Request) => {
    const form = await formOf(request);
    const from = returnPath(form?.from);
    try {
      return await finish(request, render, form);
    } catch (error) {
      return secondStepPage(request, render, { from, ...note(request, error) });
    }
  };
  return { ...others, POST: take };
}

async function finish(
  request: Request,
  render: RenderSecondStep,
  form: Record<string, string> | null,
): Promise<Response> {
  const from = returnPath(form?.from);
  const pending = pendingStep(request);
  const stale = () => secondStepPage(request, render, { from, notice: { kind: "stale" }, status: 400 });
  if (pending === null) return startAgain();
  if (!form) return stale();
  const slower = await throttled(request, null);
  if (slower) return secondStepPage(request, render, { from, ...slower });
  const { code = "", csrfToken = "" } = form;
  const { sessionId, cookies, result } = await askByCode(request, { pending, code, csrfToken });
  if (sessionId === undefined) return stale();
  if (result?.kind === "wrong") {
    return secondStepPage(request, render, { from, notice: { kind: "wrong_code" }, status: 422 });
  }
  if (result?.kind !== "session") return startAgain();
  knowBrowser(request, result.email);
  const given = [...cookies, endedStep()];
  const { recoveryCodes } = result;
  if (recoveryCodes === null) return admit(request, from, given);
  await endFormer(request);
  return recoveryCodesPage(request, render, { from, recoveryCodes, cookies: given });
}

interface CodeForm {
  pending: string;
  code: string;
  csrfToken: string;
}

/** Asks next-auth to sign in whoever has the code of a pending sign-in. Null: it did not get that far. */
async function askByCode(request: Request, { pending, code, csrfToken }: CodeForm) {
  const signIn = signInCaller(visitorOf(request));
  const results: SecondStepResult[] = [];
  const response = await ask(
    request,
    { action: ["callback", "credentials"], body: { email: "", password: "", csrfToken } },
    {
      byPassword: async () => {
        const result = await signIn.byCode({ pending, code, ...browserOf(request) });
        results.push(result);
        return result.kind === "session" ? result.sessionId : null;
      },
    },
  );
  return { ...response, result: results[0] ?? null };
}
