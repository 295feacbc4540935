import type { z } from "zod";
import { type Input, inputOf, rawInput } from "@/server/services/input";
import { isRefusal, oauthRefusal } from "@/server/services/refusal";

/** Creates the input of an OAuth endpoint: like `inputOf`, but errors are `invalid_request` with all of them in the description. */
export function oauthInput<S extends z.ZodType>(schema: S): Input<z.output<S>> {
  const read = inputOf(schema);
  return rawInput((raw) => {
    try {
      return read(raw);
    } catch (error) {
      if (!isRefusal(error) || error.reason.kind !== "invalid") throw error;
      throw oauthRefusal("invalid_request", error.reason.issues.map(({ description }) => description).join("; "));
    }
  });
}
