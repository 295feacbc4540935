import type { RegisteredApplication } from "@/server/demo/applications";
import type { FillResult } from "@/server/demo/fill";
import type { RemovalCounts } from "@/server/demo/remove";
import type { Env } from "@/server/env";

const REMOVE = "Remove all of it with: npm run demo -- --remove";

/** Describes what was filled, and where to look at it. */
export function filledText({ APP_URL }: Env, { registered, counts, missing }: FillResult, seconds: number): string {
  const { accounts, rooms, events, deliveries, requests } = counts;
  const number = (count: number) => count.toLocaleString("en-US");
  const sum = [
    `${accounts} accounts (${rooms} of them application calendars)`,
    `${number(events)} events`,
    `${number(deliveries)} webhooks`,
    `${number(requests)} requests`,
  ];
  return [
    `\nFilled in ${seconds} s: ${Object.keys(registered).length} applications, ${sum.join(", ")}.`,
    "Accounts at Google, Microsoft, iCloud and CalDAV servers have no credentials: nothing is asked of a provider.",
    ...(missing === null ? [] : [missing]),
    `\n${places(APP_URL, registered.northwind)}`,
    `\n${REMOVE}`,
  ].join("\n");
}

/** Describes a demo that was filled earlier. */
export function alreadyFilledText({ APP_URL }: Env): string {
  return `The demo is there already. To fill it again, remove it first.\n\n${places(APP_URL)}\n\n${REMOVE}`;
}

function places(appUrl: string, application?: RegisteredApplication): string {
  const at = `${appUrl}/dashboard`;
  const rows = [
    ["Overview", at],
    ["Webhooks", `${at}/deliveries`],
    ["Endpoints that fail", `${at}/endpoints?state=failing`],
    ["Disconnected accounts", `${at}/accounts?disconnected=true`],
    ["Requests that were refused", `${at}/requests/errors`],
    ["Applications", `${at}/applications`],
    ...(application ? [["The connect page of Northwind", connectUrl(appUrl, application)]] : []),
  ];
  const lines = rows.map(([what = "", url = ""]) => `  ${what.padEnd(31)}${url}`);
  return `Sign in to the dashboard and look at\n${lines.join("\n")}`;
}

function connectUrl(appUrl: string, { clientId, redirectUri }: RegisteredApplication): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state: "demo",
  });
  return `${appUrl}/oauth/authorize?${query}`;
}

/** Describes what was removed, and what was kept. */
export function removedText({ applications, accounts, audited }: RemovalCounts): string {
  if (applications === 0) return "There is no demo to remove.";
  const kept =
    audited === 0
      ? ""
      : ` The audit trail keeps its ${audited} entries about the demo: nothing is ever removed from it.`;
  return `Removed ${applications} applications and ${accounts} accounts with all that belonged to them, and the demo's operators.${kept}`;
}
