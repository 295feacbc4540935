import type { JsonResponse } from "@/server/providers/ask-json";
import { objectOf } from "@/server/providers/json-values";

const WORD = /^[\w.]{1,80}$/;
const MOST_WORDS = 10;

/**
 * Returns Graph's own words for an error: `error.code`, and the codes of the errors within it ("Microsoft Graph error
 * responses and resource types"). A rejected access token may come with a header instead of a body. If there are no
 * words, it is no error of Graph's.
 */
export function wordsOf({ status, headers, body }: JsonResponse): string[] {
  const words: string[] = [];
  for (let error = objectOf(objectOf(body).error); words.length < MOST_WORDS; ) {
    if (typeof error.code === "string" && WORD.test(error.code)) words.push(error.code);
    const within = error.innerError ?? error.innererror;
    if (typeof within !== "object" || within === null) break;
    error = objectOf(within);
  }
  if (words.length > 0 || status !== 401) return words;
  const challenge = /^bearer\b(?:.*\berror="(\w{1,60})")?/i.exec(headers.get("www-authenticate") ?? "");
  return challenge ? [challenge[1] ?? "bearer"] : [];
}
