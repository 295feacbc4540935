import { db } from "@/server/db/client";
import { type Connectable, providerNamed, wireName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import type { Shown } from "@/server/http/connect/endpoint";
import { cancelLink, openSigned, providerLink, staleScreen } from "@/server/http/connect/links";
import type { Trouble } from "@/server/http/connect/screen";
import type { Exchange } from "@/server/http/exchange";
import { instruments } from "@/server/http/instruments";
import { readBody, SMALL_BODY } from "@/server/http/read-body";
import { loggable } from "@/server/http/redact-fields";
import { log } from "@/server/log";
import { answerUri } from "@/server/services/connect/answer-uri";
import { type Connected, connectCalendarAccount } from "@/server/services/connect/connect-account";
import type { AskingApplication, ConnectRequest } from "@/server/services/connect/request";
import { offeredProviders, type SignedIn, signIn } from "@/server/services/connect/sign-in";

const FORM = "application/x-www-form-urlencoded";

interface Sent {
  application: AskingApplication;
  request: ConnectRequest;
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
  const take = await instruments().limiter.signIn(name, exchange.address ?? "");
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
  if (connected.kind === "connected") exchange.accountId = connected.accountId;
  return returning(sent, connected);
}

async function readForm(exchange: Exchange): Promise<Sent | Extract<Shown, { screen: unknown }>> {
  const unusable = { screen: { kind: "unusable", reason: "form" }, status: 400, locale: null } as const;
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) return unusable;
  const body = await readBody(exchange.request, { limit: SMALL_BODY, form: true });
  if (body.kind !== "read") return body.kind === "too_large" ? { ...unusable, status: 413 } : unusable;
  const signed = textOf(body.value.request);
  const found = await openSigned(exchange, signed);
  if (found.kind === "unusable") return { ...unusable, screen: { kind: "unusable", reason: found.reason } };
  const { application, request } = found;
  exchange.applicationId = application.id;
  exchange.plan = application.plan;
  const provider = providerNamed(textOf(body.value.provider_name));
  if (!provider || !offeredProviders().includes(provider)) return unusable;
  if (found.kind === "stale") {
    return { screen: staleScreen(application.name, request), status: 400, locale: request.locale };
  }
  const [username, password] = [textOf(body.value.username).trim(), textOf(body.value.password).trim()];
  return { application, request, signed, provider, username, password };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function refusedBy(exchange: Exchange, sent: Sent, refused: Exclude<SignedIn, { kind: "signed_in" }>): Shown {
  if (refused.kind === "down") {
    const provider = wireName(env().WIRE_NAMES, sent.provider);
    const facts = { requestId: loggable(exchange.requestId), provider, detail: refused.detail };
    log({ room: "http" }).warn(facts, "a provider could not be asked from the connect page");
  }
  return again(sent, refused.kind);
}

/** The form once more, with what went wrong. It lasts as long as the first one. */
function again({ application, request, signed, provider, username }: Sent, trouble: Trouble) {
  const cancel = cancelLink(request);
  const others = offeredProviders().length > 1 ? providerLink({ request, signed, provider: null }) : null;
  const form = { application: application.name, provider, signed, username, trouble, others, cancel };
  return { screen: { kind: "sign_in", ...form } as const, status: 200, locale: request.locale };
}

function returning({ request }: Sent, connected: Connected): Shown {
  const isConnected = connected.kind === "connected";
  return { to: answerUri(request, isConnected ? { code: connected.code } : { error: "access_denied" }) };
}
