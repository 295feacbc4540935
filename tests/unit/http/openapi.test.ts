import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { everyExample } from "@/components/docs/every-example";
import { issueKeys } from "@/server/http/error-keys";
import { openApiDocument } from "@/server/http/openapi/document";
import { exampleTime } from "@/server/http/openapi/examples/example";
import { operations } from "@/server/http/routes/all";

// The committed document has the dates of the recording: it is the same on every day.
const wording = {
  baseUrl: "http://localhost:3000",
  appUrl: "http://localhost:3000",
  names: "product",
  offered: ["icloud"],
  standIn: null,
  now: exampleTime,
} as const;
const committed = join(import.meta.dirname, "../../../server/http/openapi/openapi.json");
const document = openApiDocument(wording);

describe("the OpenAPI document", () => {
  it("is the committed one (renew with RENEW=1 npx vitest run --config tests/vitest.config.ts --project unit tests/unit/http/openapi.test.ts)", () => {
    const renewed = JSON.stringify(document);
    if (process.env.RENEW === "1") {
      writeFileSync(committed, renewed);
      execFileSync("npx", ["biome", "format", "--write", committed]);
    }
    expect(JSON.parse(readFileSync(committed, "utf8"))).toEqual(JSON.parse(renewed));
  });

  it.each(["product", "neutral"] as const)(
    "is valid for @seriousme/openapi-schema-validator in the %s vocabulary",
    async (names) => {
      expect(await new Validator().validate(copy({ ...wording, names }))).toMatchObject({ valid: true });
    },
  );

  it.each(["product", "neutral"] as const)(
    "is valid for @apidevtools/swagger-parser in the %s vocabulary",
    async (names) => {
      expect(await SwaggerParser.validate(copy({ ...wording, names }) as never)).toMatchObject({ openapi: "3.1.1" });
    },
  );

  it.each([false, true])("has no component that nothing refers to, where the sandbox is off: %s", (isSandboxOff) => {
    const { components, ...rest } = openApiDocument({ ...wording, isSandboxOff });
    const referred = new Set(JSON.stringify([components, rest]).match(/#\/components\/\w+\/[\w-]+/g));
    const secured = Object.keys(components.securitySchemes).map((name) => `#/components/securitySchemes/${name}`);
    const all = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(all.filter((one) => !referred.has(one) && !secured.includes(one))).toEqual([]);
    for (const name of Object.keys(components.securitySchemes)) expect(JSON.stringify(rest)).toContain(`"${name}":[`);
  });

  it("has the booleans of queries as booleans, and as the texts that are read", () => {
    const parameters = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.parameters ?? []),
    );
    const booleans = parameters.filter(({ name }) => /^(include|only|localized)_/.test(name));
    expect(booleans.length).toBeGreaterThan(6);
    for (const { schema } of booleans) {
      expect(schema).toEqual({
        anyOf: [{ type: "boolean" }, { type: "string", enum: ["true", "false", "1", "0"] }],
        default: false,
      });
    }
  });

  it("gives every key of the specification's errors to some endpoint, with its meaning", () => {
    const used = operations.flatMap(({ errors = [] }) => errors.map(({ key }) => key));
    expect(issueKeys.filter((key) => !used.includes(key))).toEqual([]);
    for (const key of issueKeys) expect(document.info.description).toContain(`\`${key}\``);
  });

  it("has an example of every request that has a body or a query, and of every answer that has one", () => {
    const missing = operations.flatMap(({ id, path, method, credential, inBrowser }) => {
      const operation = document.paths[path]?.[method];
      const bodies = Object.values(operation?.requestBody?.content ?? {}).flatMap((holder) =>
        Object.keys(everyExample(holder)),
      );
      const parameters = (operation?.parameters ?? []).flatMap((holder) => Object.keys(everyExample(holder)));
      const isBare = !operation?.requestBody && !operation?.parameters;
      const silent = Object.entries(operation?.responses ?? {}).filter(
        // In maintenance all operations have one response, which the schema describes.
        ([status, { content = {} }]) =>
          status !== "503" && !inBrowser && Object.values(content).some(({ examples }) => !examples),
      );
      return [
        ...(isBare || bodies.length + parameters.length > 0 ? [] : [id]),
        ...silent.map(([status]) => `${id} ${status} ${credential}`),
      ];
    });
    expect(missing).toEqual([]);
  });

  it("says names, addresses and hosts as this service does", () => {
    const text = JSON.stringify(
      openApiDocument({ ...wording, baseUrl: "https://api.acme.io", appUrl: "https://app.acme.io", names: "neutral" }),
    );
    expect(text).toContain("https://api.acme.io/oauth/token");
    expect(text).toContain("https://app.acme.io/oauth/authorize");
    expect(text).toContain('"prov_d"');
    expect(text).not.toMatch(/\{base_|localhost:3000|office365|cronofy/i);
    expect(JSON.stringify(document)).not.toMatch(/prov_[a-d]|svc_[a-d]\d|\bcompat\./);
  });
});

describe("the examples", () => {
  it.each([
    [["icloud"], ["apple", "icloud"]],
    [
      ["microsoft", "icloud"],
      ["office365", "office365"],
    ],
    [
      ["google", "icloud"],
      ["google", "gsuite"],
    ],
  ] as const)("show an account of a provider that is on offer: %s", (offered, [name, service]) => {
    const given = openApiDocument({ ...wording, offered: [...offered] });
    const content = given.paths["/v1/profiles"]?.get?.responses["200"]?.content?.["application/json"];
    expect(content?.examples?.profiles?.value).toMatchObject({
      profiles: [{ provider_name: name, provider_service: service }],
    });
  });
});

/** Both validators write into what they are given. */
function copy(given: Parameters<typeof openApiDocument>[0]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(openApiDocument(given)));
}
