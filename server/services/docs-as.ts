import { z } from "zod";

/**
 * Names, for schemas with a hand-written parser that JSON Schema cannot describe, the component that documents their
 * input (server/http/components.ts). Nothing validates with it.
 */
export const docsAs = z.registry<{ as: string }>();
