import { randomBytes } from "node:crypto";
import { entryOf } from "./access";
import { accountFor, type Caller, isUser } from "./callers";
import { badRequest, invalidUser } from "./errors";
import type { Account, CalendarRecord, Change, World } from "./state";

const types = ["created", "updated", "deleted"] as const;
/** Type Subscription, clientState: "The maximum length is 128 characters." */
const LONGEST_STATE = 128;
/** "Any value under 45 minutes after the time of the request is automatically set to 45 minutes after the request time." */
const SHORTEST = 45 * 60_000;
/** "The client must respond with the following characteristics within 10 seconds". */
const VALIDATION_TIMEOUT = 10_000;

/** The code and the texts of refusals are [K] unless quoted. */
const refused = (message: string) => badRequest("InvalidRequest", message);

/** What a new subscription asks for. */
export function checkedInput(world: World, caller: Caller, body: Record<string, unknown>) {
  const { changeType, resource, clientState, lifecycleNotificationUrl } = body;
  const changeTypes = String(changeType ?? "")
    .split(",")
    .map((type) => type.trim());
  const known = changeTypes.map((type) => types.find((one) => one === type));
  if (known.includes(undefined)) throw refused("changeType is required and has to be created, updated or deleted.");
  if (typeof resource !== "string") throw refused("resource is a required property for subscription creation");
  if (
    clientState !== undefined &&
    clientState !== null &&
    (typeof clientState !== "string" || clientState.length > LONGEST_STATE)
  ) {
    throw refused("clientState is too long.");
  }
  const isLifecycle = lifecycleNotificationUrl !== undefined && lifecycleNotificationUrl !== null;
  const watched = watchedBy(world, caller, resource);
  return {
    resource,
    ...watched,
    changeTypes: known.filter((type): type is Change["type"] => type !== undefined),
    notificationUrl: address(body.notificationUrl, "notificationUrl"),
    lifecycleNotificationUrl: isLifecycle ? address(lifecycleNotificationUrl, "lifecycleNotificationUrl") : null,
    clientState: typeof clientState === "string" ? clientState : null,
    expiration: expirationOf(world, body.expirationDateTime),
  };
}

const RESOURCE = /^\/?(?:me|users\/([^/]+))(?:\/calendars\/([^/]+)|(\/calendar))?\/events$/i;

/** The resources of events: "Resources examples", and those of one calendar [R compass-calendar]. 404 for a calendar that is another's. */
function watchedBy(world: World, caller: Caller, resource: string): { account: Account; calendar?: CalendarRecord } {
  const [whole, user, id, byDefault] = (RESOURCE.exec(resource) ?? []).map((part) => part && decodeURIComponent(part));
  const isAnothers = caller.account && user && !isUser(caller.account, user);
  if (whole === undefined || isAnothers) throw refused(`The resource '${resource}' is not supported.`);
  const account = accountFor(world, caller, user, invalidUser);
  if (!id && !byDefault) return { account };
  return { account, calendar: entryOf(account, id ?? "").calendar };
}

/** "This URL must make use of the HTTPS protocol." http is allowed on loopback for tests. */
function address(given: unknown, name: string): string {
  if (typeof given === "string" && /^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(given))
    return given;
  throw refused(`${name} has to be an HTTPS address.`);
}

/** The time of the end. Beyond the maximum: "any requests to create or renew a subscription beyond the maximum value will fail". */
export function expirationOf(world: World, given: unknown): number {
  // microsoft-graph-docs#4092 quotes the text.
  if (typeof given !== "string") throw refused("expirationDateTime is a required property for subscription creation");
  const asked = Date.parse(given);
  if (Number.isNaN(asked) || asked <= world.now()) throw refused("The expirationDateTime has to be in the future.");
  const { longestSubscription } = world.knobs;
  if (asked > world.now() + longestSubscription * 60_000) {
    throw refused(`Subscription expiration can only be ${longestSubscription} minutes in the future.`);
  }
  return Math.max(asked, world.now() + SHORTEST);
}

/** The handshake of "notificationUrl validation" with each address. */
export async function validated(urls: (string | null)[]): Promise<void> {
  for (const url of new Set(urls.filter((one) => one !== null))) await validate(url);
}

async function validate(url: string): Promise<void> {
  // The token has characters that have to be decoded.
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomBytes(9).toString("base64")}+/=`;
  const target = new URL(url);
  const address = `${target.href}${target.search === "" ? "?" : "&"}validationToken=${encodeURIComponent(token)}`;
  const response = await post(address);
  // nodejs-webhooks-sample#350 quotes the text.
  if (!response) throw refused("Subscription validation request timed out.");
  const isPlain = /^text\/plain\b/i.test(response.type);
  if (response.status !== 200 || !isPlain || response.text !== token) {
    const text =
      "Subscription validation request failed. Notification endpoint must respond with 200 OK to validation request.";
    throw badRequest("ValidationError", text);
  }
}

async function post(url: string): Promise<{ status: number; type: string; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "text/plain; charset=utf-8" },
      redirect: "manual",
      signal: AbortSignal.timeout(VALIDATION_TIMEOUT),
    });
    return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
  } catch {
    return undefined;
  }
}
