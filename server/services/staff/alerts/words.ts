import { type AlertKind, type ErrorRateKind, STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import { REQUESTS_WITHIN_MINUTES } from "@/server/domain/alerts/thresholds";
import { RETRIED_FOR_MS } from "@/server/domain/channels/schedule";
import { roughly } from "@/server/domain/time/duration-words";
import type { AlertBody } from "@/server/services/staff/alerts/message";

interface NoticeInput {
  body: AlertBody;
  scope: string;
  appUrl: string;
}

/** What a person is told: the same by email, in Slack and in Teams. Names are other people's text, each on its line. */
export interface Notice {
  title: string;
  /** What to do. Null: a test. */
  advice: string | null;
  /** One line for each item that the message names. */
  lines: string[];
  /** Where to look. Null: a test. */
  dashboardUrl: string | null;
  settingsUrl: string;
}

/** Writes a message in words: what happened, how much of it, and where to look. */
export function noticeOf({ body, scope, appUrl }: NoticeInput): Notice {
  const others = body.count - body.items.length;
  return {
    title: titleOf(body),
    advice: adviceOf(body),
    lines: [...body.items.map(lineOf), ...(others > 0 ? [`and ${others} more`] : [])],
    dashboardUrl: body.kind === null ? null : `${appUrl}${pathOf(body, scope)}`,
    settingsUrl: `${appUrl}${settingsOf(scope)}`,
  };
}

/** Writes a message as an email, in plain text. */
export function emailOf(input: NoticeInput): { subject: string; text: string } {
  const { title, advice, lines, dashboardUrl, settingsUrl } = noticeOf(input);
  const text = [
    advice === null ? "This is a test. Alerts by email work." : `${title}. ${advice}`,
    ...(lines.length > 0 ? ["", ...lines.map((line) => `- ${line}`)] : []),
    "",
    ...(dashboardUrl === null ? [] : [`Dashboard: ${dashboardUrl}`]),
    `Change these alerts: ${settingsUrl}`,
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
  deliveries_failed: "applications with failed deliveries",
  server_error_rate: "applications with many server errors",
  client_error_rate: "applications with many rejected requests",
  account_disconnected: "applications with disconnected accounts",
  provider_down: "providers not responding",
};

function nameOf(facts: Item["facts"]): string {
  switch (facts.kind) {
    case "endpoint_failing":
      return `Endpoint failing: ${facts.endpoint} (${oneLine(facts.applicationName)})`;
    case "deliveries_failed":
      return `${countText(facts.failed, "failed delivery", "failed deliveries")}: ${oneLine(facts.applicationName)}`;
    case "server_error_rate":
    case "client_error_rate":
      return `${shareText(facts)}: ${oneLine(facts.applicationName)}`;
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
    case "deliveries_failed":
      return `${oneLine(facts.applicationName)}: ${countText(facts.failed, "delivery", "deliveries")} failed in the last hour, ${at}`;
    case "server_error_rate":
    case "client_error_rate":
      return `${oneLine(facts.applicationName)}: ${facts.errors} of ${countText(facts.requests, "request")} in the last ${REQUESTS_WITHIN_MINUTES} minutes, ${at}`;
    case "account_disconnected":
      return `${oneLine(facts.applicationName)}: ${countText(facts.accounts, "account")}, ${at}. Latest: ${facts.latest.join(", ")}${withdrawnText(facts.withdrawn)}`;
    case "provider_down":
      return `${facts.provider}: ${countText(facts.mailboxes, "account")} can’t sync, ${at}`;
    default:
      return facts satisfies never;
  }
}

function adviceOf({ kind, state }: AlertBody): string | null {
  if (kind === null) return null;
  if (state === "resolved") return endings[kind] ?? "It works again.";
  const advice = {
    endpoint_failing: `Deliveries are retried for ${roughly(RETRIED_FOR_MS)}. Fix the endpoint, then retry failed deliveries.`,
    deliveries_failed: "These won’t be retried automatically. Fix the endpoint, then retry failed deliveries.",
    server_error_rate: "Almanac returned 5xx responses. See the request log for details.",
    client_error_rate: "Almanac returned 4xx responses. The request log groups them by error.",
    account_disconnected: "These accounts aren’t synced until their users reconnect.",
    provider_down: "Syncs and writes are retried and catch up when the provider responds again.",
  };
  return advice[kind];
}

const endings: Partial<Record<AlertKind, string>> = {
  endpoint_failing: "It works again, or was paused or closed.",
  deliveries_failed: "Fewer deliveries failed in the last hour.",
  server_error_rate: "Fewer requests fail now.",
  client_error_rate: "Fewer requests fail now.",
};

function pathOf({ kind }: AlertBody, scope: string): string {
  const own = scope === STAFF_SCOPE ? "/dashboard" : `/dashboard/applications/${scope}`;
  if (kind === "deliveries_failed") {
    return `/dashboard/deliveries?state=failed${scope === STAFF_SCOPE ? "" : `&application=${scope}`}`;
  }
  if (kind === "server_error_rate") return `${own}/requests?statusClass=5xx`;
  if (kind === "client_error_rate") return `${own}/requests?statusClass=4xx`;
  if (kind === "endpoint_failing") return `${own}/endpoints?state=failing`;
  return `${own}/accounts?${kind === "account_disconnected" ? "disconnected=true" : "sync=failing"}`;
}

/** Names the one reason why all mailboxes of an organization are disconnected. */
function withdrawnText(domains: readonly string[] = []): string {
  if (domains.length === 0) return "";
  return `. The key of ${domains.join(", ")} was withdrawn: an administrator must renew it. Users don’t need to reconnect`;
}

function settingsOf(scope: string): string {
  return scope === STAFF_SCOPE ? "/dashboard/settings/alerts" : `/dashboard/applications/${scope}/alerts`;
}

/** Keeps a name, which is somebody else's text, on its line. */
function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Names the share of requests that failed, such as "12% of requests failed with 5xx". */
function shareText({ kind, errors, requests }: { kind: ErrorRateKind; errors: number; requests: number }): string {
  return `${Math.round((errors / requests) * 100)}% of requests failed with ${kind === "server_error_rate" ? "5xx" : "4xx"}`;
}

function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
