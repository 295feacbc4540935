import { fieldName, type Issue, type IssueKey, type IssueReason } from "@/server/domain/issues";

/** A field of a body and the mistakes of the whole body, which it adds to. */
export interface Field {
  readonly issues: Issue[];
  /** Notes a mistake of this field; `message` continues its name. */
  add(key: IssueKey, message: string, reason?: IssueReason): void;
  /** A field inside this one. */
  at(...parts: readonly (string | number)[]): Field;
}

/** The field at a path; its list of mistakes is empty unless one is given. */
export function fieldAt(path: readonly (string | number)[], issues: Issue[] = []): Field {
  return {
    issues,
    add: (key, message, reason) => {
      issues.push({ path, key, description: `${fieldName(path)} ${message}`, ...(reason && { reason }) });
    },
    at: (...parts) => fieldAt([...path, ...parts], issues),
  };
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A body of 16 MiB could otherwise be answered with a million mistakes.
const MOST_UNKNOWN = 50;

/** Notes every field of an object that is not among `known` as not supported. */
export function refuseUnknown(object: JsonObject, known: readonly string[], field: Field): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, MOST_UNKNOWN)) {
    field.at(name).add("errors.not_supported", `is not supported. Supported fields: ${known.join(", ")}`);
  }
}
