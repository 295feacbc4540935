import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openApiTypes } from "@/sdk/generator/openapi-types";
import { pythonTypes } from "@/sdk/generator/python-types";

const root = resolve(import.meta.dirname, "../../..");
const generated = resolve(root, "sdk/src/generated/openapi.ts");
const inPython = resolve(root, "sdk/python/src/almanac_calendar/openapi.py");
const document = JSON.parse(readFileSync(resolve(root, "server/http/openapi/openapi.json"), "utf8"));

describe("the client's types", () => {
  it("are generated from the committed document (renew with RENEW=1 npx vitest run --config tests/vitest.config.ts --project unit tests/unit/sdk/generated.test.ts)", () => {
    const now = formatted(openApiTypes(document));
    if (process.env.RENEW === "1") writeFileSync(generated, now);
    expect(readFileSync(generated, "utf8")).toBe(now);
    const python = pythonTypes(document);
    if (process.env.RENEW === "1") writeFileSync(inPython, python);
    expect(readFileSync(inPython, "utf8")).toBe(python);
  });

  it("change when the document does", () => {
    const other = structuredClone(document);
    other.components.schemas.Account.properties.plan = { type: "string", description: "Its plan." };
    expect(openApiTypes(other)).not.toBe(openApiTypes(document));
    expect(openApiTypes(other)).toContain("/** Its plan. */\nplan?: string;");
    expect(pythonTypes(other)).toContain("    # Its plan.\n    plan: NotRequired[str]");
  });

  it("stop at a schema that the generator doesn't know", () => {
    const other = structuredClone(document);
    other.components.schemas.Account.properties.plan = { oneOf: [] };
    for (const typesOf of [openApiTypes, pythonTypes]) {
      expect(() => typesOf(other)).toThrow("the generator knows no type for");
    }
  });
});

function formatted(source: string): string {
  const biome = resolve(root, "node_modules/.bin/biome");
  return execFileSync(biome, ["format", `--stdin-file-path=${generated}`], {
    cwd: root,
    input: source,
    encoding: "utf8",
  });
}
