import { AlmanacError } from "./errors.js";
import type { Change, Channel } from "./generated/openapi.js";
import { hmacMatches } from "./hmac.js";

/** What a webhook says. Ignore a type that you don't know. */
export type Notification =
  /** The channel was created. */
  | { type: "verification" }
  /** Events changed: read them with `events.list({ last_modified: changes_since })`. */
  | {
      type: "change";
      changes_since: string;
      /** On a channel with `payload` `changes`: what changed since then. */
      changes?: Change[];
      /** `changes` is incomplete: follow the feed, `changes.follow({ cursor })`. */
      more?: true;
    }
  /** A calendar account must be connected again. */
  | { type: "profile_disconnected" }
  /** A newly connected calendar account can be read. */
  | { type: "profile_initial_sync_completed" }
  /** A trigger is due for an event or an occurrence. */
  | { type: "trigger"; trigger_id: string; event_uid: string; late?: true }
  /** A provider rejected an event that your application wrote, on a channel that has `write_refused`. */
  | { type: "write_refused"; calendar_id: string; event_uid: string; event_id?: string; reason: string };

export interface Delivery {
  /** The same on every attempt: ignore one that you have handled. */
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
  notification: Notification;
  /** None for a `trigger`. */
  channel?: Channel;
}

/** A `Headers`, or an object with lower-case names such as Node's `request.headers`. */
export type DeliveryHeaders = Headers | Record<string, string | readonly string[] | undefined>;

type Secret = string | readonly string[];

export interface VerifyInput {
  /** The raw body: bytes, or the string that they are. Parsed and serialized again, it doesn't verify. */
  body: string | Uint8Array | ArrayBuffer;
  headers: DeliveryHeaders;
  /** Client secrets of the application: any one of them is enough. */
  clientSecret: Secret;
  /** The signing secret, or how to find it by the id of the channel or the trigger. Without one, the age of the delivery isn't checked. */
  signingSecret?: Secret | ((id: string) => Secret | undefined | Promise<Secret | undefined>);
  /** How old a delivery may be. Default: 300. */
  toleranceSeconds?: number;
  now?: () => number;
}

/** Why a delivery was not accepted. */
export type WebhookFailure =
  /** Not a delivery of Almanac's, or headers were lost on the way. */
  | "missing_header"
  /** Another secret, or another body than was sent. */
  | "wrong_hmac"
  /** `signingSecret` gave no secret for the channel or the trigger. */
  | "unknown_channel"
  /** Another signing secret, or another time than was signed. */
  | "wrong_signature"
  /** Signed too long ago, or the clock is wrong. */
  | "too_old"
  /** Verified, but no notification. */
  | "invalid_body";

/** The delivery must not be trusted. Respond with 400. */
export class WebhookVerificationError extends AlmanacError {
  override name = "WebhookVerificationError";
  readonly reason: WebhookFailure;

  constructor(reason: WebhookFailure) {
    super(`the webhook was not verified: ${reason}`);
    this.reason = reason;
  }
}

/** The delivery, once it is certain that Almanac sent it. Throws a WebhookVerificationError otherwise. */
export async function verifyWebhook(input: VerifyInput): Promise<Delivery> {
  const { headers, toleranceSeconds = 300, now = Date.now } = input;
  const body = await verifiedBody(input);
  const delivery = deliveryOf(headers, body);
  if (input.signingSecret === undefined) return delivery;
  const secret = await signingSecretOf(input.signingSecret, senderOf(delivery) ?? "");
  const [, sentAt = "", v1 = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header(headers, "svc-signature")) ?? [];
  const signed = joined(new TextEncoder().encode(`${sentAt}.`), body);
  if (!(await hmacMatches(secret, [fromHex(v1)], signed))) throw new WebhookVerificationError("wrong_signature");
  if (Math.abs(now() / 1_000 - Number(sentAt)) > toleranceSeconds) throw new WebhookVerificationError("too_old");
  return delivery;
}

/** What came of a mailbox that `organizations.authorize` asked for: a code to exchange, or why there is none. */
export type Authorization =
  | { code: string; state?: string }
  | { error: string; error_description: string; state?: string };

/** The result, once it is certain that Almanac sent it. Throws a WebhookVerificationError otherwise. */
export async function verifyAuthorization(
  input: Pick<VerifyInput, "body" | "headers" | "clientSecret">,
): Promise<Authorization> {
  const { authorization } = parsed(await verifiedBody(input));
  const isResult = typeof authorization?.code === "string" || typeof authorization?.error === "string";
  if (!isResult) throw new WebhookVerificationError("invalid_body");
  return authorization as Authorization;
}

/** The body, if it was signed with one of the client secrets. */
async function verifiedBody({
  body: given,
  headers,
  clientSecret,
}: Pick<VerifyInput, "body" | "headers" | "clientSecret">) {
  const body = bytesOf(given);
  const hmacs = header(headers, "svc-hmac-sha256")
    .split(",")
    .map((hmac) => fromBase64(hmac.trim()));
  if (!(await hmacMatches(secrets(clientSecret), hmacs, body))) throw new WebhookVerificationError("wrong_hmac");
  return body;
}

async function signingSecretOf(given: NonNullable<VerifyInput["signingSecret"]>, id: string) {
  const secret = typeof given === "function" ? await given(id) : given;
  if (secret === undefined) throw new WebhookVerificationError("unknown_channel");
  return secrets(secret);
}

function deliveryOf(headers: DeliveryHeaders, body: Uint8Array): Delivery {
  const { notification, channel } = parsed(body);
  if (typeof notification?.type !== "string" || typeof senderOf({ notification, channel }) !== "string") {
    throw new WebhookVerificationError("invalid_body");
  }
  const attempt = Number(header(headers, "svc-delivery-attempt"));
  return { id: header(headers, "svc-delivery-id"), attempt, notification, ...(channel && { channel }) };
}

/** The id whose signing secret signs. */
function senderOf({ notification, channel }: Pick<Delivery, "notification"> & { channel?: Channel | undefined }) {
  return notification.type === "trigger" ? notification.trigger_id : channel?.channel_id;
}

interface Parsed extends Partial<Pick<Delivery, "notification" | "channel">> {
  authorization?: { code?: unknown; error?: unknown };
}

function parsed(body: Uint8Array): Parsed {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new WebhookVerificationError("invalid_body");
  }
}

function header(headers: DeliveryHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  if (value === undefined || value === null) throw new WebhookVerificationError("missing_header");
  return typeof value === "string" ? value : value.join(",");
}

/** Of any implementation of fetch. */
function isHeaders(headers: DeliveryHeaders): headers is Headers {
  return typeof headers.get === "function";
}

function secrets(given: Secret): readonly string[] {
  return typeof given === "string" ? [given] : given;
}

function bytesOf(body: VerifyInput["body"]): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Empty for text that is no base64: it then matches nothing. */
function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return new Uint8Array();
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
