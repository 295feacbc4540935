import { z } from "zod";
import { invalid } from "@/server/services/refusal";

/**
 * Where a page begins: after the service's page that ends at `start` (omitted: at the top) and, on the following one,
 * after a node.
 */
export interface Position {
  start?: string;
  id?: string;
}

const LONGEST = 1_000;
const shape = z.strictObject({ start: z.string().optional(), id: z.string().optional() });

export function cursorOf(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Parses a cursor. Throws invalid. */
export function positionOf(cursor: string | null | undefined): Position {
  if (cursor === null || cursor === undefined) return {};
  const read = cursor.length > LONGEST ? null : shape.safeParse(parsed(Buffer.from(cursor, "base64url").toString()));
  if (!read?.success) throw strayCursor();
  return read.data;
}

export function strayCursor() {
  const description = "after is not a cursor of this list, or of one that has changed too much: use pageInfo.endCursor";
  return invalid({ path: ["after"], key: "errors.invalid", description });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
