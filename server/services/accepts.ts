import type { z } from "zod";
import { fieldName, type Issue, type IssueKey, type IssueReason } from "@/server/domain/issues";
import { textFaults } from "@/server/domain/text";
import { invalid } from "@/server/services/refusal";

/** What a check of ours puts into `params` of a custom zod issue. */
export interface IssueParams {
  key: IssueKey;
  reason?: IssueReason;
}

/** A parser for tRPC that takes whatever a caller sent: the phantom members tell its types, the function is all there is. */
export type Accepts<T> = ((raw: unknown) => T) & { _input: unknown; _output: T };

export function accepting<T>(read: (raw: unknown) => T): Accepts<T> {
  return read as Accepts<T>;
}

/**
 * The input of a procedure: reads the caller's value with a zod schema and refuses with every mistake found at once,
 * in the words of the specification's "Errors".
 */
export function accepts<S extends z.ZodType>(schema: S): Accepts<z.output<S>> {
  return accepting((raw) => {
    const issues: Issue[] = textFaults(raw).map((path) => ({
      path,
      key: "errors.invalid",
      description: `${fieldName(path)} holds a character that cannot be stored (U+0000 or half of a surrogate pair)`,
    }));
    const result = schema.safeParse(raw);
    if (result.success && issues.length === 0) return result.data;
    throw invalid(
      ...withoutRepeats([...issues, ...(result.error?.issues ?? []).map((issue) => translate(issue, raw))]),
    );
  });
}

function withoutRepeats(issues: Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, key }) => {
    const name = `${fieldName(path)}\n${key}`;
    return !seen.has(name) && seen.add(name);
  });
}

function translate(issue: z.core.$ZodIssue, raw: unknown): Issue {
  const { path } = issue;
  const field = fieldName(path);
  switch (issue.code) {
    case "invalid_type":
      if (valueAt(raw, path) === undefined) return required(path);
      return { path, key: "errors.invalid_type", description: `${field} must be ${article(issue.expected)}` };
    case "too_big":
      return {
        path,
        key: "errors.too_big",
        description: `${field} must have at most ${issue.maximum} ${unit(issue.origin)}`,
      };
    case "too_small":
      if (issue.minimum === 1) return { path, key: "errors.too_small", description: `${field} must not be empty` };
      return {
        path,
        key: "errors.too_small",
        description: `${field} must have at least ${issue.minimum} ${unit(issue.origin)}`,
      };
    case "invalid_value":
      if (valueAt(raw, path) === undefined) return required(path);
      return {
        path,
        key: "errors.invalid_value",
        description: `${field} must be one of ${issue.values.map(String).join(", ")}`,
      };
    case "invalid_format":
      return { path, key: "errors.invalid_format", description: `${field} is not in the format that is documented` };
    case "custom": {
      const { key, reason } = (issue.params ?? { key: "errors.invalid" }) as unknown as IssueParams;
      return { path, key, description: `${field} ${issue.message}`, reason };
    }
    default:
      return { path, key: "errors.invalid", description: `${field} is not valid` };
  }
}

function required(path: readonly PropertyKey[]): Issue {
  return { path, key: "errors.required", description: `${fieldName(path)} is required` };
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  );
}

function article(expected: string): string {
  if (expected === "object" || expected === "array") return `an ${expected}`;
  return expected === "record" ? "an object" : `a ${expected}`;
}

function unit(origin: string): string {
  return origin === "array" ? "entries" : "characters";
}
