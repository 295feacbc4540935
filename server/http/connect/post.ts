import { db } from "@/server/db/client";
import type { Connectable } from "@/server/domain/providers";
import { providerName, providerNamed } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { formPage } from "@/server/http/connect/form-page";
import {
  backLink,
  endedPage,
  linkEndedPage,
  openSigned,
  providerLink,
  unusablePage,
} from "@/server/http/connect/links";
import type { Trouble } from "@/server/http/connect/screen";
import type { Shown, ShownPage } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { readBody, SMALL_BODY } from "@/server/http/read-body";
import { loggable } from "@/server/http/redact-secrets";
import { log } from "@/server/log";
import { answerUri } from "@/server/services/connect/answer-uri";
import { type Connected, connectCalendarAccount } from "@/server/services/connect/connect-account";
import type { AskingApplication, ConnectRequest } from "@/server/services/connect/request";
import { offeredProviders, type SignInOutcome, signIn } from "@/server/services/connect/sign-in";

const FORM = "application/x-www-form-urlencoded";

interface Sent {
  application: AskingApplication;
  request: ConnectRequest;
  joins: string | null;
  signed: string;
  provider: Connectable;
  username: string;
  password: string;
}

/**
 * POST /oauth/authorize, the form of a provider: asks the provider, and takes the person back to the application. Nothing of the
 * body is logged, and the password is in no page.
 */
export async function askedByForm(exchange: Exchange): Promise<Shown> {
  const sent = await readForm(exchange);
  if ("screen" in sent) return sent;
  if (sent.username === "") return again(sent, "no_username");
  if (sent.password === "") return again(sent, "no_password");
  const name = `${sent.provider}:${sent.username.toLowerCase()}`;
  const take = await processServices().limiter.signIn(name, exchange.address ?? "");
  if (!take.allowed) {
    const shown = again(sent, "too_many");
    return { ...shown, status: 429, headers: { "retry-after": String(take.retryAfter) } };
  }
  const signedIn = await signIn(sent.provider, sent);
  if (signedIn.kind !== "signed_in") return refusedBy(exchange, sent, signedIn);
  const { account, calendars } = signedIn;
  const { application, request, provider } = sent;
  const connecting = { applicationId: application.id, request, provider, account, calendars, now: exchange.now };
  const connected = await connectCalendarAccount(db(), connecting);
  if ("code" in connected) exchange.accountId = connected.accountId;
  return returning(sent, connected);
}

async function readForm(exchange: Exchange): Promise<Sent | ShownPage> {
  const unusable = unusablePage({ reason: "form", application: null }, null);
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) return unusable;
  const body = await readBody(exchange.request, { limit: SMALL_BODY, form: true });
  if (body.kind !== "read") return body.kind === "too_large" ? { ...unusable, status: 413 } : unusable;
  const signed = textOf(body.value.request);
  const found = await openSigned(exchange, signed);
  if (found.application) {
    exchange.applicationId = found.application.id;
    exchange.plan = found.application.plan;
  }
  if (found.kind !== "open") return endedPage(found);
  const { application, request, joins } = found;
  const provider = providerNamed(textOf(body.value.provider_name));
  if (!provider || !offeredProviders().includes(provider)) return unusable;
  const [username, password] = [textOf(body.value.username).trim(), textOf(body.value.password).trim()];
  return { application, request, joins, signed, provider, username, password };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function refusedBy(exchange: Exchange, sent: Sent, refused: Exclude<SignInOutcome, { kind: "signed_in" }>): Shown {
  if (refused.kind === "down") {
    const provider = providerName(env().WIRE_NAMES, sent.provider);
    const facts = { requestId: loggable(exchange.requestId), provider, detail: refused.detail };
    log({ module: "http" }).warn(facts, "a provider could not be asked from the connect page");
  }
  return again(sent, refused.kind);
}

/** The form again, with what went wrong. It lasts as long as the first one. */
function again(sent: Sent, trouble: Trouble): ShownPage {
  return formPage({ ...sent, trouble });
}

function returning(sent: Sent, connected: Connected): Shown {
  switch (connected.kind) {
    case "connected":
    case "pending":
      return { to: answerUri(sent.request, { code: connected.code }) };
    case "link_ended":
      return linkEndedPage(sent);
    case "elsewhere":
      return elsewherePage(sent);
    default:
      return connected satisfies never;
  }
}

/** The link token is still good, so that another calendar account can be connected. */
function elsewherePage({ application, request, signed, joins }: Sent): ShownPage {
  const another = providerLink({ request, signed, provider: null });
  const back = backLink(request, "elsewhere");
  const screen = { kind: "elsewhere", application: application.name, joins: joins ?? "", another, back } as const;
  return { screen, status: 400, locale: request.locale, error: "already_connected" };
}
