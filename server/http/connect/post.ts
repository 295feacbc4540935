import { providerTraits } from "@/server/domain/providers";
import { type ConnectCaller, connectApiFor, noteApplication } from "@/server/http/connect/caller";
import { formPage } from "@/server/http/connect/form-page";
import { endedPage, unusablePage } from "@/server/http/connect/links";
import { connectedOrNot, noteDown } from "@/server/http/connect/outcome";
import type { Trouble } from "@/server/http/connect/screen";
import type { PageOrRedirect, ShownPage } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { readBody, SMALL_BODY } from "@/server/http/read-body";
import { type Offer, offerNamed } from "@/server/providers/offers";
import type { OpenedRequest } from "@/server/services/connect/open";
import type { ConnectOutcome } from "@/server/services/connect/sign-in-and-connect";

const FORM = "application/x-www-form-urlencoded";

interface Sent extends OpenedRequest {
  offer: Offer;
  username: string;
  password: string;
}

/**
 * Handles POST /oauth/authorize, the form of a provider: asks the provider, and takes the person back to the
 * application. Nothing of the body is logged, and the password is in no page.
 */
export async function submitForm(exchange: Exchange): Promise<PageOrRedirect> {
  const { api } = connectApiFor(exchange);
  const sent = await readForm(exchange, api);
  if ("screen" in sent) return sent;
  if (sent.username === "") return again(sent, "no_username");
  if (sent.password === "") return again(sent, "no_password");
  const { provider, server } = sent.offer;
  const name = `${server?.id ?? provider}:${sent.username.toLowerCase()}`;
  const take = await processServices().limiter.signIn(name, exchange.address ?? "");
  if (!take.allowed) {
    const shown = again(sent, "too_many");
    return { ...shown, status: 429, headers: { "retry-after": String(take.retryAfter) } };
  }
  const { signed, username, password } = sent;
  const outcome = await api.signIn({ signed, provider, server: server?.id, username, password });
  return shownFor(exchange, sent, outcome);
}

async function readForm(exchange: Exchange, api: ConnectCaller): Promise<Sent | ShownPage> {
  const unusable = unusablePage({ reason: "form", application: null }, null);
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) return unusable;
  const body = await readBody(exchange.request, { limit: SMALL_BODY, form: true });
  if (body.kind !== "read") return body.kind === "too_large" ? { ...unusable, status: 413 } : unusable;
  const signed = textOf(body.value.request);
  const found = await api.resume({ signed, locale: null });
  noteApplication(exchange, found);
  if (found.kind !== "open") return endedPage(found);
  const { application, request, joins, reconnects } = found;
  const named = { provider: textOf(body.value.provider_name), server: textOf(body.value.caldav_server) };
  const offer = offerNamed(application, named);
  if (!offer || providerTraits[offer.provider].signIn !== "password") return unusable;
  const [username, password] = [textOf(body.value.username).trim(), textOf(body.value.password).trim()];
  return { application, request, joins, reconnects, signed, offer, username, password };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Shows the form again, with what went wrong. It lasts as long as the first one. */
function again(sent: Sent, trouble: Trouble): ShownPage {
  return formPage({ ...sent, trouble });
}

function shownFor(exchange: Exchange, sent: Sent, outcome: ConnectOutcome): PageOrRedirect {
  switch (outcome.kind) {
    case "wrong_password":
    case "no_calendars":
      return again(sent, outcome.kind);
    case "unsupported_sign_in":
      noteDown(exchange, sent.offer.provider, outcome.kind);
      return again(sent, outcome.kind);
    case "no_mailbox":
      return again(sent, "no_calendars");
    case "down":
      noteDown(exchange, sent.offer.provider, outcome.detail);
      return again(sent, "down");
    case "stale":
    case "unusable":
      return endedPage(outcome);
    default:
      return connectedOrNot(exchange, sent, outcome);
  }
}
