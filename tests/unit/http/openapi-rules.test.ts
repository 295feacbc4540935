import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/server/http/openapi/document";
import { exampleTime } from "@/server/http/openapi/examples/example";

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  security?: Record<string, string[]>[];
  responses: Record<string, { description?: string }>;
}

const origin = "https://api.acme.io";
const documents = {
  "as most have it": openApiDocument({
    ...{ baseUrl: origin, appUrl: origin, names: "product", standIn: null },
    offered: ["icloud"],
    now: exampleTime,
  }),
  "without a sandbox, with every provider": openApiDocument({
    ...{ baseUrl: origin, appUrl: origin, names: "neutral", standIn: null, isSandboxOff: true },
    ...{ offered: ["google", "microsoft", "icloud"], now: exampleTime },
  }),
};
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const repeated = (all: readonly string[]) => all.filter((one, place) => all.indexOf(one) !== place);

// What Redocly (recommended-strict) and Spectral (spectral:oas) ask for, as far as the validators of openapi.test.ts and the examples' own
// tests do not. Both report nothing; as packages they are 77 MB.
describe.each(Object.entries(documents))("the OpenAPI document, %s,", (_name, document) => {
  const whole = document as unknown as Json & {
    paths: Record<string, Json>;
    webhooks?: Record<string, Json>;
    tags: { name: string; description?: string }[];
  };
  const operationsOf = (items: Record<string, Json> = {}) =>
    Object.entries(items).flatMap(([path, item]) =>
      methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] as Operation }] : [])),
    );
  const called = operationsOf(whole.paths);
  const all = [...called, ...operationsOf(whole.webhooks)];

  it("has operations with a unique id that a URL can hold, a summary, a description and one tag that is described", () => {
    expect(called.length).toBeGreaterThan(15);
    expect(repeated(all.map(({ operation }) => operation.operationId))).toEqual([]);
    expect(repeated(all.map(({ operation }) => operation.summary ?? ""))).toEqual([]);
    const described = whole.tags.filter(({ description }) => description).map(({ name }) => name);
    for (const { operation } of all) {
      expect(operation.operationId).toMatch(/^[A-Za-z0-9_-]+$/);
      expect([operation.operationId, operation.summary, operation.description]).toEqual([
        operation.operationId,
        expect.stringMatching(/\S[^.]$/),
        expect.stringMatching(/\S/),
      ]);
      expect(operation.tags).toHaveLength(1);
      expect(described).toContain(operation.tags?.[0]);
    }
  });

  it("says of every account's email that nobody has verified it", () => {
    const { schemas } = whole.components as { schemas: Record<string, { properties: Json }> };
    for (const name of ["Account", "Userinfo", "CompatibilityUserinfo"])
      expect([name, schemas[name]?.properties.email]).toEqual([
        name,
        expect.objectContaining({ description: expect.stringMatching(/not verified.*Microsoft.*account ID/) }),
      ]);
  });

  it("has no tag twice, and none that no operation has", () => {
    const names = whole.tags.map(({ name }) => name);
    expect(repeated(names)).toEqual([]);
    expect(names.filter((name) => !all.some(({ operation }) => operation.tags?.includes(name)))).toEqual([]);
  });

  it("says for each operation how it succeeds and how it is refused, in words", () => {
    for (const { operation } of called) {
      const statuses = Object.keys(operation.responses);
      expect({ id: operation.operationId, statuses }).toEqual({
        id: operation.operationId,
        statuses: expect.arrayContaining([expect.stringMatching(/^[23]\d\d$/), expect.stringMatching(/^4\d\d$/)]),
      });
      for (const response of Object.values(operation.responses))
        expect(resolved(whole, response).description).toMatch(/\S/);
    }
  });

  it("has paths that no request can take for one another", () => {
    const alike = (one: string, other: string) => {
      const [a, b] = [one.split("/"), other.split("/")];
      return (
        a.length === b.length &&
        a.every((part, place) => part === b[place] || part.startsWith("{") || b[place]?.startsWith("{"))
      );
    };
    const paths = Object.keys(whole.paths);
    expect(
      paths.flatMap((one, place) =>
        paths
          .slice(place + 1)
          .filter((other) => alike(one, other))
          .map((other) => [one, other]),
      ),
    ).toEqual([]);
    expect(paths.filter((path) => /.\/$|[?#]|\/(get|put|post|delete|patch)(\/|$)/i.test(path))).toEqual([]);
  });

  it("declares each parameter once, and those of the path as required, all of them and no others", () => {
    for (const { path, operation } of called) {
      const parameters = (operation.parameters ?? []).map(
        (parameter) => resolved(whole, parameter) as unknown as NonNullable<Operation["parameters"]>[number],
      );
      const id = operation.operationId;
      expect({ id, twice: repeated(parameters.map((one) => `${one.in} ${one.name}`)) }).toEqual({ id, twice: [] });
      const ofPath = parameters.filter((one) => one.in === "path");
      expect(ofPath.every(({ required }) => required)).toBe(true);
      expect(ofPath.map(({ name }) => name).toSorted()).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted(),
      );
    }
  });

  it("says of each operation with which credential it is called, and of no other", () => {
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { operation } of called) {
      const security = operation.security ?? (whole.security as Operation["security"]);
      expect({ id: operation.operationId, security }).toMatchObject({ security: expect.any(Array) });
      for (const name of (security ?? []).flatMap((one) => Object.keys(one))) expect(schemes).toContain(name);
    }
  });

  it("has schemas whose required fields are named, whose arrays have entries, and whose choices are of their type and each there once", () => {
    const wrong: string[] = [];
    visit(whole, "#", (schema, place) => {
      const { required, properties, type, items, enum: choices } = schema;
      if (Array.isArray(required) && properties && !("allOf" in schema)) {
        for (const name of required) if (!(name in (properties as Json))) wrong.push(`${place}: required ${name}`);
      }
      if (type === "array" && !items && !("prefixItems" in schema)) wrong.push(`${place}: an array of nothing`);
      if (Array.isArray(choices)) {
        if (repeated(choices.map(String)).length > 0) wrong.push(`${place}: a choice is there twice`);
        const types = [type ?? []].flat().flatMap((one) => (one === "number" ? ["number", "integer"] : [one]));
        const fits = (choice: unknown) =>
          types.length === 0 ||
          types.includes(choice === null ? "null" : Number.isInteger(choice) ? "integer" : typeof choice);
        if (!choices.every(fits)) wrong.push(`${place}: a choice is not a ${types.join(" or ")}`);
      }
    });
    expect(wrong).toEqual([]);
  });

  it("refers to what it has, and gives a place one example or several, not both", () => {
    const wrong: string[] = [];
    visit(whole, "#", (part, place) => {
      if (typeof part.$ref === "string" && !resolved(whole, part)) wrong.push(`${place}: ${part.$ref}`);
      if ("example" in part && "examples" in part) wrong.push(`${place}: example and examples`);
    });
    expect(wrong).toEqual([]);
  });

  it("has no script in a description, and servers that end in no slash and are not those of examples", () => {
    const described: string[] = [];
    const servers: string[] = [];
    visit(whole, "#", ({ description, servers: some }) => {
      if (typeof description === "string") described.push(description);
      if (Array.isArray(some)) servers.push(...some.map(({ url }) => url));
    });
    expect(described.filter((text) => /<script|eval\(/i.test(text))).toEqual([]);
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.filter((url) => url.endsWith("/") || /example\.com|localhost/.test(url))).toEqual([]);
  });
});

/** Each object of the document but those in examples, which are somebody else's. */
function visit(part: unknown, place: string, look: (part: Json, place: string) => void): void {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) look(part as Json, place);
  for (const [name, inner] of Object.entries(part)) {
    const isData =
      ["example", "examples", "x-mistakes", "default", "const", "enum"].includes(name) &&
      !place.endsWith("/properties");
    if (!isData) visit(inner, `${place}/${name}`, look);
  }
}

function resolved(document: Json, part: Json): Json {
  if (typeof part.$ref !== "string") return part;
  const names = part.$ref.slice(2).split("/");
  return names.reduce<Json>((from, name) => from?.[name.replaceAll("~1", "/").replaceAll("~0", "~")] as Json, document);
}
