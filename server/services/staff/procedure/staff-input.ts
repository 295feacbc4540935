import type { z } from "zod";
import { type Input, inputOf } from "@/server/services/input";

/** The input of a staff procedure: refuses as `accepts` does, and tells callers in this process what it takes. */
export function staffInput<S extends z.ZodType>(schema: S): Input<z.output<S>> & { _input: z.input<S> } {
  return inputOf(schema) as Input<z.output<S>> & { _input: z.input<S> };
}
