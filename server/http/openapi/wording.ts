import { type Connectable, providerTraits } from "@/server/domain/providers";
import {
  providerName,
  serviceName,
  userinfoPrefix,
  type Vocabulary,
  type WireToken,
  wireName,
} from "@/server/domain/wire-names";
import { datedText } from "@/server/http/openapi/examples/dates";

/** What makes the document this service's own: its addresses, vocabulary and providers, and the week of its examples. */
export interface Wording {
  baseUrl: string;
  appUrl: string;
  names: Vocabulary;
  /** The providers that users can connect, in the order of the connect page. */
  offered: readonly Connectable[];
  /** The host of the CalDAV server that stands in for iCloud; null: it is iCloud. */
  standIn: string | null;
  /** Milliseconds since 1970: the examples' dates lie in its week and the four that follow. */
  now: number;
  /** SANDBOX. */
  isSandboxOff?: boolean;
}

/**
 * Puts a value of the examples in this service's words. The examples are kept with neutral tokens, `{base_url}`,
 * `{app_url}` and the dates of their recording.
 */
export function worded(value: unknown, wording: Wording, key = ""): unknown {
  if (typeof value === "string") return wordedText(value, wording, key);
  if (Array.isArray(value)) return value.map((entry) => worded(entry, wording, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wordedKey(name, wording), worded(inner, wording, name)]),
  );
}

function wordedText(text: string, wording: Wording, key: string): string {
  const { baseUrl, appUrl, names, now } = wording;
  // A name in the product's vocabulary stays, whether it is offered here or not.
  const known = (token: string) => wireName(names, token as WireToken) as string | undefined;
  const inWords = (token: string) => offeredName(token, wording) ?? known(token) ?? token;
  if (/^provider_(name|service)$/.test(key)) return inWords(text);
  return datedText(text, now)
    .replaceAll("{base_url}", baseUrl)
    .replaceAll("{base_host}", new URL(baseUrl).hostname)
    .replaceAll("{app_url}", appUrl)
    .replace(IN_A_LINK, inWords);
}

const IN_A_LINK = /(?<=\?.*&provider_name=)prov_[a-d]/;

/** Replaces the examples' provider by the first on offer, if it is not on offer itself. Null: `token` stays. */
function offeredName(token: string, { names, offered }: Wording): string | null {
  const [first] = offered;
  const isOffered = offered.some((one) => providerName("neutral", one) === token.replace(/^svc_(.).*/, "prov_$1"));
  if (!first || isOffered || !/^(prov|svc)_/.test(token)) return null;
  return token.startsWith("prov_") ? providerName(names, first) : serviceName(names, providerTraits[first].service);
}

/** Renames userinfo's two keys of compatibility mode. */
function wordedKey(name: string, { names }: Wording): string {
  return name.replace(/^compat\./, `${userinfoPrefix(names, true)}.`);
}
