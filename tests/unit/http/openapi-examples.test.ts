import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/server/http/openapi/document";
import type { Content, ExampleObject, Schema } from "@/server/http/openapi/document-shape";
import { exampleTime } from "@/server/http/openapi/examples/example";

const origin = "https://api.acme.io";
const document = openApiDocument({
  ...{ baseUrl: origin, appUrl: origin, names: "product", offered: ["icloud"], standIn: null },
  now: exampleTime,
});
const ajv = addFormats(new Ajv2020({ strict: false, validateFormats: true }));
ajv.addSchema({ $id: "document", components: document.components });

interface Place {
  name: string;
  schema: Schema;
  examples?: Record<string, ExampleObject>;
  "x-mistakes"?: Record<string, ExampleObject>;
}

const places = Object.values(document.paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, parameters = [], requestBody, responses }): Place[] => [
    ...parameters.map((parameter) => ({ ...parameter, name: `${operationId} ${parameter.name}` })),
    ...[["body", requestBody] as const, ...Object.entries(responses)].flatMap(([what, holder]) =>
      Object.values((holder?.content ?? {}) as Record<string, Content>).map((content) => ({
        ...content,
        name: `${operationId} ${what}`,
      })),
    ),
  ]),
);

/** As a linter checks it: with every reference followed, and nothing in an object that some part of its schema does not name. */
function isAllowed(schema: Schema, value: unknown): boolean {
  const named = "allOf" in schema ? { ...schema, unevaluatedProperties: false } : schema;
  const text = JSON.stringify(named).replaceAll('"#/components/', '"document#/components/');
  return ajv.compile(JSON.parse(text))(value);
}

/** Each example of one kind that the schema of its place takes, or not. */
function found(kind: "examples" | "x-mistakes", isTaken: boolean): string[] {
  return places.flatMap(({ name, schema, ...holder }) =>
    Object.entries(holder[kind] ?? {})
      .filter(([, { value }]) => isAllowed(schema, value) === isTaken)
      .map(([example]) => `${name}: ${example}`),
  );
}

describe("the examples of the OpenAPI document", () => {
  it("are what its schemas allow, so that no linter finds a fault", () => {
    expect(places.filter(({ examples }) => examples).length).toBeGreaterThan(50);
    expect(found("examples", false)).toEqual([]);
  });

  it("are mistakes where it says so", () => {
    const wrong = new Set(found("x-mistakes", false).map((name) => name.split(": ")[1]));
    expect([...wrong].toSorted()).toEqual([
      "mistakes",
      "other_grant_type",
      "unknown_state",
      "without_name",
      "without_time_zone",
    ]);
  });

  it("of errors have nothing that their own endpoint's schema does not name", () => {
    for (const { name, schema, examples } of places.filter(({ name }) => name.endsWith(" 422"))) {
      const [, narrowed] = schema.allOf as [Schema, { properties: { errors: { additionalProperties: Schema } } }];
      const { properties = {} } = narrowed.properties.errors.additionalProperties.items ?? {};
      const issues = Object.values(examples ?? {}).flatMap(({ value }) =>
        Object.values((value as { errors: Record<string, object[]> }).errors).flat(),
      );
      expect({
        name,
        fields: issues.flatMap((issue) => Object.keys(issue)).filter((key) => !(key in properties)),
      }).toEqual({ name, fields: [] });
    }
  });

  it("come with a licence and a contact, which linters ask for", () => {
    expect(document.info).toMatchObject({ contact: { url: `${origin}/docs` }, license: { identifier: "Apache-2.0" } });
  });
});
