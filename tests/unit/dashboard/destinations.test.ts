import { expect, it } from "vitest";
import { choicesFor } from "@/components/dashboard/shell/choices";
import { destinations, searches } from "@/components/dashboard/shell/navigation";
import type { FoundThing } from "@/server/services/staff/search/shapes";

const labels = (word: string) => destinations(word, "support").map(({ label }) => label.replace(` ${word}`, ""));

it("an id leads to the thing itself, and an email that begins like an id to accounts with this email", () => {
  expect(labels("apc_77d1e2f30a9e7d3b4682c0aa")[0]).toBe("Account");
  expect(labels("apc_77d1e2f30a9e7d3b4682c0aa@localhost")).toEqual([]);
  expect(searches("apc_77d1e2f30a9e7d3b4682c0aa@localhost").map(({ label }) => label)).toEqual([
    "Accounts with email apc_77d1e2f30a9e7d3b4682c0aa@localhost",
  ]);
});

it("a callback URL with an email in its query is no email", () => {
  expect(labels("https://hooks.acme.io/cal?for=a@b.io")).toEqual([]);
});

it("an email offers its account before the list of accounts with it", () => {
  const account = {
    ...{ kind: "account" as const, id: "acc_1", name: "anna@acme.io" },
    ...{ applicationName: "Acme", accountName: null, state: null },
  };
  const typed = { typed: "anna@acme.io", role: "support" as const, applications: [], views: [], pageActions: [] };
  const links = (things: FoundThing[]) => choicesFor({ ...typed, things }).map(({ href }) => href);
  const all = "/dashboard/accounts?q=anna%40acme.io";
  expect(links([account])).toEqual(["/dashboard/accounts/acc_1", all]);
  expect(links([])).toEqual([all]);
});
