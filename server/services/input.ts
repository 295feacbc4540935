import type { z } from "zod";
import { fieldName, type Issue, type IssueKey, type IssueReason } from "@/server/domain/issues";
import { textFaults } from "@/server/domain/text";
import { invalid } from "@/server/services/refusal";

/** The `params` of our own custom zod issues. */
export interface IssueParams {
  key: IssueKey;
  reason?: IssueReason;
}

/** A parser for tRPC that accepts any value: the phantom members declare its types for tRPC, at run time it is only a function. */
export type Input<T> = ((raw: unknown) => T) & { _input: unknown; _output: T };

export function rawInput<T>(read: (raw: unknown) => T): Input<T> {
  return read as Input<T>;
}

/**
 * Creates the input of a procedure: reads the caller's value with a zod schema and refuses with every error at once, in
 * the words of the specification's "Errors". `moreIssues` finds errors that the schema misses, or words them better.
 */
export function inputOf<S extends z.ZodType>(
  schema: S,
  moreIssues: (raw: unknown) => Issue[] = () => [],
): Input<z.output<S>> {
  return rawInput((raw) => {
    const unstorable: Issue[] = textFaults(raw).map((path) => ({
      path,
      key: "errors.invalid",
      description: `${isPlain(path) ? fieldName(path) : "A field"} contains a character that cannot be stored (U+0000 or a lone surrogate)`,
    }));
    const issues = [...unstorable, ...moreIssues(raw)];
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
      if (valueAt(raw, path) === undefined) return requiredIssue(path);
      return { path, key: "errors.invalid_type", description: `${field} must be ${article(issue.expected)}` };
    case "too_big":
      return { path, key: "errors.too_big", description: `${field} must ${maximumText(issue)}` };
    case "too_small":
      return { path, key: "errors.too_small", description: `${field} must ${minimumText(issue)}` };
    case "invalid_value":
      if (valueAt(raw, path) === undefined) return requiredIssue(path);
      return {
        path,
        key: "errors.invalid_value",
        description: `${field} must be one of ${issue.values.map(String).join(", ")}`,
      };
    case "invalid_format": {
      const isEmail = issue.format === "email" || path.at(-1) === "email";
      const words = isEmail ? "must be a valid email address" : "is not in the documented format";
      return { path, key: "errors.invalid_format", description: `${field} ${words}` };
    }
    case "custom": {
      const { key, reason } = (issue.params ?? { key: "errors.invalid" }) as unknown as IssueParams;
      return { path, key, description: `${field} ${issue.message}`, reason };
    }
    default:
      return { path, key: "errors.invalid", description: `${field} is not valid` };
  }
}

function requiredIssue(path: readonly PropertyKey[]): Issue {
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
  if (expected === "int") return "an integer";
  return expected === "record" ? "an object" : `a ${expected}`;
}

/** Types that are limited by their value, not by their length. */
const numbers = new Set(["number", "int", "bigint"]);

function maximumText({ origin, maximum }: z.core.$ZodIssueTooBig): string {
  return numbers.has(origin) ? `be at most ${maximum}` : `have at most ${maximum} ${unit(origin)}`;
}

function minimumText({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  if (numbers.has(origin)) return `be at least ${minimum}`;
  return minimum === 1 ? "not be empty" : `have at least ${minimum} ${unit(origin)}`;
}

function unit(origin: string): string {
  return origin === "array" ? "entries" : "characters";
}

/** Checks that every name in a path is one that fields have: any other is a caller's own text, which no sentence quotes. */
function isPlain(path: readonly PropertyKey[]): boolean {
  return path.every((part) => typeof part === "number" || /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(String(part)));
}

/** Creates the input of a staff procedure: refuses as `inputOf` does, and is typed for callers in this process. */
export function staffInput<S extends z.ZodType>(schema: S): Input<z.output<S>> & { _input: z.input<S> } {
  return inputOf(schema) as Input<z.output<S>> & { _input: z.input<S> };
}
