import type { JsonResponse } from "@/server/providers/ask-json";
import { listOf, objectOf } from "@/server/providers/json-values";

const WORD = /^[\w.]{1,80}$/;

/**
 * Returns Google's own words for an error: `error.errors[].reason`, and those of its newer form of errors beside them,
 * with the name of the quota that is used up.
 * If there are none, it is no error of Google's.
 */
export function wordsOf({ body }: Pick<JsonResponse, "body">): string[] {
  const { errors, details, status } = objectOf(objectOf(body).error);
  const reasons = [...listOf(errors), ...listOf(details)].map(({ reason }) => reason);
  const limits = listOf(details).map(({ metadata }) => objectOf(metadata).quota_limit);
  return [...reasons, status, ...limits].filter(
    (value): value is string => typeof value === "string" && WORD.test(value),
  );
}
