import { STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import { RETRIED_FOR_MS } from "@/server/domain/channels/schedule";
import { roughly } from "@/server/domain/time/duration-words";
import type { AlertBody } from "@/server/services/staff/alerts/message";

interface AlertEmailInput {
  body: AlertBody;
  scope: string;
  appUrl: string;
}

/** Writes a message as an email: what happened, how much of it, and where to look. Plain text. */
export function emailOf({ body, scope, appUrl }: AlertEmailInput): { subject: string; text: string } {
  const title = titleOf(body);
  const lines = body.items.map((item) => `- ${lineOf(item)}`);
  const others = body.count - body.items.length;
  const text = [
    `${sentenceOf(body, title)}`,
    ...(lines.length > 0 ? ["", ...lines] : []),
    ...(others > 0 ? [`- and ${others} more`] : []),
    "",
    ...(body.kind === null ? [] : [`Dashboard: ${appUrl}${pathOf(body, scope)}`]),
    `Change these alerts: ${appUrl}${settingsOf(scope)}`,
    "",
  ];
  return { subject: `[Almanac] ${title}`, text: text.join("\n") };
}

type Item = AlertBody["items"][number];

function titleOf({ kind, state, count, items: [first] }: AlertBody): string {
  const facts = first?.facts;
  if (kind === null || !facts) return "Test alert";
  const one = `${nameOf(facts)}`;
  const many = `${count} ${plurals[kind]}`;
  const what = count === 1 ? one : many;
  if (state === "resolved") return `Resolved: ${what}`;
  return state === "ongoing" ? `Still ${what.slice(0, 1).toLowerCase()}${what.slice(1)}` : what;
}

const plurals = {
  endpoint_failing: "endpoints failing",
  account_disconnected: "applications with disconnected accounts",
  provider_down: "providers not responding",
};

function nameOf(facts: Item["facts"]): string {
  switch (facts.kind) {
    case "endpoint_failing":
      return `Endpoint failing: ${facts.endpoint} (${oneLine(facts.applicationName)})`;
    case "account_disconnected":
      return `${countText(facts.accounts, "account")} disconnected: ${oneLine(facts.applicationName)}`;
    case "provider_down":
      return `Provider not responding: ${facts.provider}`;
    default:
      return facts satisfies never;
  }
}

function lineOf({ facts, since }: Item): string {
  const at = `since ${new Date(since).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  switch (facts.kind) {
    case "endpoint_failing":
      return `${facts.endpoint} of ${oneLine(facts.applicationName)}: ${countText(facts.failures, "attempt")} failed in a row, ${countText(facts.channels, "channel")}, ${at}`;
    case "account_disconnected":
      return `${oneLine(facts.applicationName)}: ${countText(facts.accounts, "account")}, ${at}. Latest: ${facts.latest.join(", ")}`;
    case "provider_down":
      return `${facts.provider}: ${countText(facts.mailboxes, "account")} can’t be synced, ${at}`;
    default:
      return facts satisfies never;
  }
}

function sentenceOf({ kind, state }: AlertBody, title: string): string {
  if (kind === null) return "This is a test. Alerts by email work.";
  if (state === "resolved") {
    return kind === "endpoint_failing"
      ? `${title}. It works again, or was paused or closed.`
      : `${title}. It works again.`;
  }
  const advice = {
    endpoint_failing: `Notifications are retried for ${roughly(RETRIED_FOR_MS)}. Fix the endpoint, then send again what failed.`,
    account_disconnected: "These accounts are not synced until their users connect again.",
    provider_down: "Syncs and writes are retried and catch up when the provider responds again.",
  };
  return `${title}. ${advice[kind]}`;
}

function pathOf({ kind }: AlertBody, scope: string): string {
  const own = scope === STAFF_SCOPE ? "/dashboard" : `/dashboard/applications/${scope}`;
  if (kind === "endpoint_failing") return `${own}/endpoints?state=failing`;
  return `${own}/accounts?${kind === "account_disconnected" ? "disconnected=true" : "sync=failing"}`;
}

function settingsOf(scope: string): string {
  return scope === STAFF_SCOPE ? "/dashboard/operators/alerts" : `/dashboard/applications/${scope}/alerts`;
}

/** Keeps a name, which is somebody else's text, on its line. */
function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
