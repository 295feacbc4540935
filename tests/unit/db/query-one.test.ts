import { describe, expect, it } from "vitest";
import type { Query } from "@/server/db/client";
import { queryOne } from "@/server/db/statement";

const giving =
  (...rows: object[]): Query =>
  async <Row extends object>() =>
    rows as Row[];

describe("queryOne", () => {
  it("gives the row", async () => {
    expect(await queryOne<{ n: number }>(giving({ n: 0 }), "SELECT 0 AS n")).toEqual({ n: 0 });
  });

  it("throws when there is none, and quotes neither statement nor values", async () => {
    const failing = queryOne(giving(), "SELECT FROM t WHERE secret = $1", ["s3cret"]);
    await expect(failing).rejects.toThrow("A statement that always gives a row gave none.");
  });
});
