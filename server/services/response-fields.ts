import { z } from "zod";
import type { IdPrefix } from "@/server/domain/ids";
import { type Vocabulary, type WireToken, wireName } from "@/server/domain/wire-names";

/** Creates the schema of an id in a response ("Conventions": opaque except for the prefix). */
export function id(...prefixes: IdPrefix[]) {
  return z.string().regex(new RegExp(`^${prefixes.length > 1 ? `(${prefixes.join("|")})` : prefixes.join()}_.+$`));
}

/** Creates the schema of a token's wire name, in the operator's vocabulary. */
export function wireNames(names: Vocabulary, tokens: readonly WireToken[]) {
  return z.enum([...new Set(tokens.map((token) => wireName(names, token)))]);
}

export const utcTime = z.string().meta({ format: "date-time", description: "A UTC time in whole seconds." });

/** A date for an all-day event, else a time. */
export const dateOrTime = z.union([z.string().meta({ format: "date" }), z.string().meta({ format: "date-time" })]);
