import { expect, it } from "vitest";
import { locks } from "@/server/db/locks";

it("gives each advisory lock a number of its own, within PostgreSQL's integer", () => {
  const numbers = Object.values(locks);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => !Number.isInteger(number) || number > 2 ** 31 - 1)).toEqual([]);
});
