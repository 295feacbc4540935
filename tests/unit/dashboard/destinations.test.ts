import { expect, it } from "vitest";
import { destinations } from "@/components/dashboard/shell/navigation";

const labels = (word: string) => destinations(word, "support").map(({ label }) => label.replace(` ${word}`, ""));

it("an id leads to the thing itself, and an email that begins like an id to accounts with this email", () => {
  expect(labels("apc_77d1e2f30a9e7d3b4682c0aa")[0]).toBe("Account");
  expect(labels("apc_77d1e2f30a9e7d3b4682c0aa@localhost")).toEqual(["Accounts with email"]);
});

it("a callback URL with an email in its query is no email", () => {
  expect(labels("https://hooks.acme.io/cal?for=a@b.io")).toEqual([]);
});
