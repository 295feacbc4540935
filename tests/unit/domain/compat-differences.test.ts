import { expect, it } from "vitest";
import { type CompatDifference, compatDifferences, differs } from "@/server/domain/compat";

const sources = import.meta.glob<string>("/server/**/*.ts", { query: "?raw", import: "default", eager: true });
const differences = Object.keys(compatDifferences) as CompatDifference[];

it.each(differences)("%s is a difference of compatibility mode alone", (difference) => {
  expect(differs(difference, { compatibilityMode: true })).toBe(true);
  expect(differs(difference, { compatibilityMode: false })).toBe(false);
});

it.each(differences)("%s is asked for where the code differs", (difference) => {
  const users = Object.entries(sources).filter(([, text]) => text.includes(`differs("${difference}"`));
  expect(users.map(([file]) => file)).not.toEqual([]);
});
