import { userinfoPrefix, type Vocabulary, type WireToken, wireName } from "@/server/domain/wire-names";

/** What makes the document this service's own: its addresses and its vocabulary. */
export interface Wording {
  baseUrl: string;
  appUrl: string;
  names: Vocabulary;
}

/** A value of the examples, which are kept with neutral tokens and `{base_url}`, in this service's words. */
export function worded(value: unknown, wording: Wording, key = ""): unknown {
  if (typeof value === "string") return wordedText(value, wording, key);
  if (Array.isArray(value)) return value.map((entry) => worded(entry, wording, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wordedKey(name, wording), worded(inner, wording, name)]),
  );
}

function wordedText(text: string, { baseUrl, names }: Wording, key: string): string {
  if (/^provider_(name|service)$/.test(key)) return wireName(names, text as WireToken);
  return text.replaceAll("{base_url}", baseUrl).replaceAll("{base_host}", new URL(baseUrl).hostname);
}

/** Userinfo's two keys of compatibility mode. */
function wordedKey(name: string, { names }: Wording): string {
  return name.replace(/^compat\./, `${userinfoPrefix(names, true)}.`);
}
