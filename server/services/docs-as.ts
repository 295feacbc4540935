import { z } from "zod";

/**
 * Names, for schemas with a hand-written parser that JSON Schema cannot describe, the component that documents their
 * input (server/http/components.ts). Nothing validates with it.
 */
export const docsAs = z.registry<{ as: string }>();

/** Returns the JSON Schema that refers to a component, for lists whose entries are counted before they are read. */
export function componentRef(component: string): { $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}
