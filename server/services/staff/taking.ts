import type { z } from "zod";
import { type Accepts, accepts } from "@/server/services/accepts";

/** The input of a staff procedure: refuses as `accepts` does, and tells callers in this process what it takes. */
export function taking<S extends z.ZodType>(schema: S): Accepts<z.output<S>> & { _input: z.input<S> } {
  return accepts(schema) as Accepts<z.output<S>> & { _input: z.input<S> };
}
