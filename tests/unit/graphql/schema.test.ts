import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { schema } from "@/server/graphql/schema";

// The module that the schema is made of: Vite would bring another copy of it, which knows none of its types.
const graphql: typeof import("graphql") = createRequire(import.meta.url)("graphql");
const { isInterfaceType, isObjectType, printSchema } = graphql;

const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
const objects = own.filter((type) => isObjectType(type) || isInterfaceType(type));

describe("the schema of GraphQL", () => {
  it("is the one that is kept as text (vitest -u writes it)", async () => {
    // Biome puts the marks of a description on lines of their own.
    const text = printSchema(schema).replace(/^( *)"""(.+)"""$/gm, '$1"""\n$1$2\n$1"""');
    await expect(`${text}\n`).toMatchFileSnapshot("../../../server/graphql/schema.graphql");
  });

  it("can be read and nothing else", () => {
    expect([schema.getMutationType(), schema.getSubscriptionType()]).toEqual([undefined, undefined]);
    expect(schema.getQueryType()?.name).toBe("Query");
  });

  it("has no field for what is secret or sealed", () => {
    const stored =
      /secret|password|hash|credential|cursor_|access_?token|refresh_?token|^token|hmac|sealed|lease|subject/i;
    const fields = objects.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter((field) => stored.test(field.split(".")[1] ?? ""))).toEqual([]);
  });

  it("gives every list of things in pages, and none to the rows of another", () => {
    const rows = objects.filter(({ name }) => /Summary$|^(Profile|Calendar)$/.test(name));
    expect(rows.map(({ name }) => name).sort()).toHaveLength(7);
    const below = rows.flatMap((type) => Object.values(type.getFields()).filter((field) => field.args.length > 0));
    expect(below).toEqual([]);
    const connections = objects.flatMap((type) =>
      Object.values(type.getFields()).filter(({ type: given }) => /Connection!?$/.test(String(given))),
    );
    expect(connections).toHaveLength(15);
    for (const { args } of connections) {
      expect(args.map(({ name }) => name)).toEqual(expect.arrayContaining(["first", "after", "filter"]));
    }
  });
});
