import type { JsonResponse } from "@/server/providers/ask-json";
import { listOf, objectOf } from "@/server/providers/json-values";

const WORD = /^[\w.]{1,80}$/;

/**
 * Returns Google's own words for an error: `error.errors[].reason`, and those of its newer form of errors beside them.
 * If there are none, it is no error of Google's.
 */
export function wordsOf({ body }: Pick<JsonResponse, "body">): string[] {
  const { errors, details, status } = objectOf(objectOf(body).error);
  const reasons = [...listOf(errors), ...listOf(details)].map(({ reason }) => reason);
  return [...reasons, status].filter((value): value is string => typeof value === "string" && WORD.test(value));
}
