import { meetingServiceTokens, providerNameTokens, serviceNameTokens, wireName } from "@/server/domain/wire-names";
import { datedText, weeksSinceRecorded } from "@/server/http/openapi/examples/dates";
import { exampleTime } from "@/server/http/openapi/examples/example";
import { stableId, stableToken } from "@/server/http/openapi/examples/stable";

/** Fields with the time of the request itself. */
const timesOfRun = new Set(["created", "updated", "since", "last_read_at", "next_read_at", "at"]);
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const ID = /(?<![a-z0-9])(acc|apc|pro|cal|chn|evt|whd|bkg|trg|fed|client)_[0-9a-f]{24}\b/g;
const CHANGE = /\bchg_\d+\b/g;
const WHSEC = "whsec_";
const FIRST_CHANGE = 4711;
const FEED = /(?<=\/feeds\/)[\w-]{43}(?=\.ics)/g;
const TOKEN = /\b(?:(?:at|rt|lt)_[\w-]{43}(?![\w-])|whsec_[A-Za-z0-9+/]{43}=)/g;

/** What the examples call things, and what they are in this run: each new id or token of an answer gets the next name of its kind. */
export function stableNames({ baseUrl, appUrl, now }: { baseUrl: string; appUrl: string; now: number }) {
  const real = new Map<string, string>();
  const stable = new Map<string, string>();
  const pair = (name: string, value: string) => {
    real.set(name, value);
    stable.set(value, name);
  };
  const nameOf = (value: string, prefix: string, make: typeof stableId) => {
    for (let number = 0; !stable.has(value); number += 1) {
      const name = make(prefix, number);
      if (!real.has(name)) pair(name, value);
    }
    return stable.get(value) ?? value;
  };
  const named = (text: string) =>
    recordedDates(text, now)
      .replaceAll(baseUrl, "{base_url}")
      .replaceAll(new URL(baseUrl).hostname, "{base_host}")
      .replace(/^http.*\/oauth\/authorize\?.*/, (link) => neutralLink(link.replace(appUrl, "{app_url}"), stable))
      .replace(ID, (id, prefix: string) => nameOf(id, prefix, stableId))
      .replace(CHANGE, (id) => nameOf(id, "chg", (_, number) => `chg_${FIRST_CHANGE + number}`))
      .replace(FEED, (token) => nameOf(token, "", stableToken))
      .replace(TOKEN, (token) => nameOf(token, token.slice(0, token.indexOf("_")), stableToken));
  return {
    pair,
    /** A value of the document as this run says it. */
    inThisRun: <T>(value: T): T => {
      let text = JSON.stringify(value);
      for (const [name, own] of real) text = text.replaceAll(name, own);
      return JSON.parse(text);
    },
    /** An answer of this run as the examples show it. */
    inExamples: (value: unknown): unknown => walk(value, "", { named, nameOf, now }),
  };
}

/** The other way than datedText: only dates that a recorded one became. */
function recordedDates(text: string, now: number): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}(?!\d)/g, (day) => {
    const recorded = new Date(Date.parse(day) - weeksSinceRecorded(now) * WEEK_MS).toISOString().slice(0, 10);
    return datedText(recorded, now) === day ? recorded : day;
  });
}

interface Naming {
  named: (text: string) => string;
  nameOf: (value: string, prefix: string, make: typeof stableId) => string;
  now: number;
}

function walk(value: unknown, key: string, naming: Naming): unknown {
  if (typeof value === "string") return shown(value, key, naming);
  if (Array.isArray(value)) return value.map((entry) => walk(entry, key, naming));
  if (key === "client_id_issued_at") return exampleTime / 1000;
  if (typeof value !== "object" || value === null) return value;
  if (key === "as_of") return Object.fromEntries(Object.keys(value).map((id) => [naming.named(id), atExampleTime(0)]));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(`${wireName("product", "compat")}.`, "compat."),
      walk(inner, name, naming),
    ]),
  );
}

function atExampleTime(later: number): string {
  return new Date(exampleTime + later).toISOString().replace(".000", "");
}

function shown(text: string, key: string, { named, nameOf, now }: Naming): string {
  if (timesOfRun.has(key)) return atExampleTime(0);
  if (key === "hold_expires_at") return atExampleTime(Date.parse(text) - Math.floor(now / 1000) * 1000);
  if (key === "cursor") return nameOf(text, "cursor", stableToken);
  // For the libraries of Standard Webhooks it stands without its prefix.
  if (key === "signing_secret" && !text.startsWith(WHSEC)) return named(WHSEC + text).slice(WHSEC.length);
  const tokens = {
    provider_name: [...providerNameTokens, ...meetingServiceTokens],
    provider_service: serviceNameTokens,
  }[key];
  return tokens?.find((token) => wireName("product", token) === text) ?? named(text);
}

/** A link to the connect page, with the names of the examples. */
function neutralLink(link: string, stable: ReadonlyMap<string, string>): string {
  let text = link;
  for (const [own, name] of stable) text = text.replaceAll(own, name);
  const neutral = (provider: string) =>
    providerNameTokens.find((token) => wireName("product", token) === provider) ?? provider;
  return text.replace(/(?<=&provider_name=)\w+/, neutral);
}
