import { endpoint } from "@/server/http/endpoint";
import { type FormPageOptions, formPage } from "@/server/http/staff/form-page";
import { visitorOf } from "@/server/http/staff/form-request";
import type { InvitationForm, InvitationView, RenderInvitation } from "@/server/http/staff/invitation-view";
import { note } from "@/server/http/staff/sign-in-failure";
import type { Notice } from "@/server/http/staff/sign-in-view";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const others = endpoint([], "GET, HEAD");

/** Builds the exports of the route of an invitation's page, which needs no session. Looking at it uses nothing up. */
export function invitationPageEndpoint(render: RenderInvitation) {
  const open = (request: Request) => {
    const token = new URL(request.url).searchParams.get("token") ?? "";
    return invitationPage(request, render, { token });
  };
  return { ...others, GET: open, HEAD: open };
}

interface ShownInvitation extends FormPageOptions, Partial<Pick<InvitationForm, "name" | "faults">> {
  token: string;
  notice?: Notice | null;
}

/** Builds the page of a link as it is now: its form, or why it does not work. */
export async function invitationPage(
  request: Request,
  render: RenderInvitation,
  { token, notice = null, name = "", faults = {}, ...options }: ShownInvitation,
): Promise<Response> {
  const show = (view: Pick<InvitationView, "form" | "closed" | "notice">, given: FormPageOptions) =>
    formPage(request, (page) => render({ ...view, ...page }), given);
  try {
    const seen = await signInCaller(visitorOf(request)).seeInvitation({ token });
    if (seen.kind === "open") {
      return await show({ notice, form: { ...seen, token, name, faults }, closed: null }, options);
    }
    return await show({ notice, form: null, closed: seen.kind }, { status: seen.kind === "unknown" ? 404 : 410 });
  } catch (error) {
    const { notice: failed, ...response } = note(request, error);
    return show({ notice: failed, form: null, closed: null }, response);
  }
}
