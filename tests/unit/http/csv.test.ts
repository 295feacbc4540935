import { describe, expect, it } from "vitest";
import { csvCell, csvResponse } from "@/server/http/csv";

describe("a cell of an export", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+49", "'+49"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", `"'\tx"`],
    ["\rx", `"'\rx"`],
    [" =1", `" '=1"`],
    ["＝1", "'＝1"],
    ["a;=1+1", `"a;'=1+1"`],
    ["a; -1;@b", `"a; '-1;'@b"`],
    ["a,+1", `"a,'+1"`],
    ['a"=1', `"a""'=1"`],
    ["a\n=1", `"a\n'=1"`],
    ["a\t=1", `"a\t'=1"`],
  ])("is never a formula: %j", (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["a;b", '"a;b"'],
    ["a\tb", '"a\tb"'],
    [" a", '" a"'],
    ["a ", '"a "'],
  ])("is quoted where it must be: %j", (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it("leaves numbers and what is missing as they are", () => {
    expect([csvCell(-5), csvCell(null), csvCell(true)]).toEqual(["-5", "", "true"]);
  });
});

describe("an export", () => {
  it("goes on from page to page until the last one", async () => {
    const asked: string[] = [];
    const answer = csvResponse({
      name: "numbers",
      columns: { number: ({ n }: { n: number }) => n },
      first: { items: [{ n: 1 }, { n: 2 }], next: "2" },
      more: async (after) => {
        asked.push(after);
        return { items: [{ n: 3 }], next: null };
      },
    });
    expect(await answer.text()).toBe("number\r\n1\r\n2\r\n3\r\n");
    expect(asked).toEqual(["2"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="numbers.csv"');
  });

  it.each([
    ["in the middle of a page", 3_000, "more"],
    ["at the end of a page", 5_000, "more"],
  ])("has at most 10,000 rows, and then one that says so: cut %s", async (_, length, next) => {
    const items = Array.from({ length }, (_, n) => ({ n }));
    const answer = csvResponse({
      name: "numbers",
      columns: { number: ({ n }: { n: number }) => n, twice: ({ n }: { n: number }) => 2 * n },
      first: { items, next },
      more: async () => ({ items, next }),
    });
    const lines = (await answer.text()).trim().split("\r\n");
    expect(lines).toHaveLength(10_002);
    expect(lines.at(-1)).toBe('"Only the first 10,000 rows are exported. Narrow the filters to get the rest.",');
  });

  it("of 10,000 rows that are all says nothing of others", async () => {
    const items = Array.from({ length: 10_000 }, (_, n) => ({ n }));
    const columns = { number: ({ n }: { n: number }) => n };
    const answer = csvResponse({
      name: "numbers",
      columns,
      first: { items, next: null },
      more: async () => ({ items, next: null }),
    });
    expect((await answer.text()).trim().split("\r\n")).toHaveLength(10_001);
  });

  it("asks for no more once its reader has gone", async () => {
    let asked = 0;
    const answer = csvResponse({
      name: "numbers",
      columns: { number: ({ n }: { n: number }) => n },
      first: { items: [{ n: 1 }], next: "more" },
      more: async () => {
        asked += 1;
        return { items: [{ n: asked }], next: "more" };
      },
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(asked).toBeLessThan(3);
  });
});
