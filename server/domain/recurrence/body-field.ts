import { fieldName, type Issue, type IssueKey, type IssueReason } from "@/server/domain/issues";

/** A field of a body, and the errors of the whole body, which it adds to. */
export interface Field {
  readonly issues: Issue[];
  /** Adds an error of this field. `message` continues its name. */
  add(key: IssueKey, message: string, reason?: IssueReason): void;
  /** A field inside this one. */
  at(...parts: readonly (string | number)[]): Field;
}

/** Creates the field at a path, with an empty list of errors by default. */
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

// Otherwise a body of 16 MiB could get a response with a million errors.
const MOST_UNKNOWN = 50;

/** Adds an error for every field of an object that is not among `known`. */
export function refuseUnknown(object: JsonObject, known: readonly string[], field: Field): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, MOST_UNKNOWN)) {
    field.at(name).add("errors.not_supported", `is not supported. Supported fields: ${known.join(", ")}`);
  }
}
