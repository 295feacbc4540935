import { z } from "zod";
import { type ComponentName, components } from "@/server/http/components";
import type { Schema } from "@/server/http/openapi/document-shape";
import { offeredProviders } from "@/server/http/openapi/providers";
import type { Wording } from "@/server/http/openapi/wording";
import { docsAs } from "@/server/services/docs-as";

/** Builds the JSON Schema of every component, from its zod schema. References go to `#/components/schemas`. */
export function jsonSchemas(wording: Wording): Record<ComponentName, Schema> {
  const registry = z.registry<{ id: string }>();
  const offered = offeredProviders(wording).map(({ provider_name }) => provider_name);
  for (const [id, schema] of Object.entries(components(wording.names, offered))) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    unrepresentable: "any",
    uri: reference,
    override: ({ zodSchema, jsonSchema }) => {
      const as = docsAs.get(zodSchema)?.as;
      if (as) jsonSchema.$ref = reference(as);
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)])) as Record<
    ComponentName,
    Schema
  >;
}

export function reference(component: string): string {
  return `#/components/schemas/${component}`;
}

/** Removes what says of each schema alone where it is and what dialect it has, because the document says so of all. */
function plain({ $schema, $id, ...schema }: Record<string, unknown>): Schema {
  return schema;
}
