import { meetingServiceTokens, providerNameTokens, serviceNameTokens, wireName } from "@/server/domain/wire-names";
import { datedText, weeksSinceRecorded } from "@/server/http/openapi/examples/dates";
import { exampleTime } from "@/server/http/openapi/examples/example";
import { stableId, stableToken } from "@/server/http/openapi/examples/stable";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const ID = /\b(acc|apc|pro|cal|chn|evt|whd)_[0-9a-f]{24}\b/g;
const TOKEN = /\b(?:(?:at|rt|lt)_[\w-]{43}(?![\w-])|whsec_[A-Za-z0-9+/]{43}=)/g;

/** What the examples call things, and what they are in this run: each new id or token of an answer gets the next name of its kind. */
export function stableNames({ baseUrl, now }: { baseUrl: string; now: number }) {
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
      .replace(ID, (id, prefix: string) => nameOf(id, prefix, stableId))
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
    inExamples: (value: unknown): unknown => walk(value, "", named),
  };
}

/** The other way than datedText: only dates that a recorded one became. */
function recordedDates(text: string, now: number): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}(?!\d)/g, (day) => {
    const recorded = new Date(Date.parse(day) - weeksSinceRecorded(now) * WEEK_MS).toISOString().slice(0, 10);
    return datedText(recorded, now) === day ? recorded : day;
  });
}

function walk(value: unknown, key: string, named: (text: string) => string): unknown {
  if (typeof value === "string") return shown(value, key, named);
  if (Array.isArray(value)) return value.map((entry) => walk(entry, key, named));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(`${wireName("product", "compat")}.`, "compat."),
      walk(inner, name, named),
    ]),
  );
}

function shown(text: string, key: string, named: (text: string) => string): string {
  if (key === "created" || key === "updated") return new Date(exampleTime).toISOString().replace(".000", "");
  const tokens = {
    provider_name: [...providerNameTokens, ...meetingServiceTokens],
    provider_service: serviceNameTokens,
  }[key];
  return tokens?.find((token) => wireName("product", token) === text) ?? named(text);
}
