import { cleaned } from "@/server/domain/text";

/** Gives a value of a response that is to be an object. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Gives a list of objects. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Reads a text and cleans it. Returns null if there is no such text. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? cleaned(value) : null;
}
