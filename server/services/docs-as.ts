import { z } from "zod";

/**
 * For schemas that read by hand what JSON Schema could not be made from: the name of the component that shows callers of the API what they
 * take (server/http/components.ts). Nothing validates with it.
 */
export const docsAs = z.registry<{ as: string }>();
