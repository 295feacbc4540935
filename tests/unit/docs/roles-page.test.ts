import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { staffApi } from "@/server/services/staff/api";
import type { ProcedureMeta } from "@/server/services/staff/procedure/trpc";

/** What each row of the table is about. */
const actions: Record<string, string[]> = {
  "Retry deliveries, one or many, and cancel manual retries": [
    ...["deliveries.retry", "deliveries.cancel", "deliveries.replays.start", "deliveries.replays.cancel"],
  ],
  "Test, pause, resume and close endpoints": ["channels.test", "channels.pause", "channels.resume", "channels.close"],
  "Sync an account now, retry its rejected writes, and end its calendar feeds": [
    ...["accounts.syncNow", "accounts.retryWrite", "accounts.endFeed"],
  ],
  "Read and write notes about accounts, and delete their own": ["accounts.notes.add", "accounts.notes.delete"],
  "Change redirect URIs, client secrets, branding and alerts of an application": [
    ...["applications.addRedirectUri", "applications.removeRedirectUri"],
    ...["applications.addSecret", "applications.retireSecret"],
    ...["applications.setBranding", "applications.setLogo", "applications.removeLogo"],
    ...["alerts.setOfApplication", "alerts.testOfApplication"],
  ],
  "Register, edit, disable, enable and delete applications": [
    ...["applications.create", "applications.update", "applications.disable", "applications.enable"],
    "applications.delete",
  ],
  "Start and end maintenance": ["maintenance.start", "maintenance.end"],
  "Add and remove an application's CalDAV servers": [
    ...["applications.addCaldavServer", "applications.removeCaldavServer"],
  ],
  "Set and remove an application's OAuth clients at Google and Microsoft": [
    ...["applications.setOauthClient", "applications.removeOauthClient"],
  ],
  "Add, verify, edit and remove an application's organizations, and replace their keys": [
    ...["organizations.add", "organizations.verify", "organizations.remove", "organizations.replaceKey"],
    "organizations.setReach",
  ],
  "Show event texts, and revoke accounts": ["accounts.showTexts", "events.showTexts", "accounts.revoke"],
  "Invite developers, and add or remove them": [
    ...["invitations.list", "invitations.create", "invitations.revoke", "members.add", "members.remove"],
  ],
  "Manage operators, their sessions and lost second factors, and change the alerts for staff": [
    ...["operators.list", "operators.create", "operators.setRole", "operators.disable", "operators.enable"],
    ...["operators.resetPassword", "operators.resetSecondFactor", "alerts.setOfStaff", "alerts.testOfStaff"],
  ],
  "Read the audit trail": ["audit.list"],
  "Change their own password and second factor, and end their own sessions": [
    ...["session.changePassword", "session.end", "session.endOthers"],
    ...["session.startSecondFactor", "session.confirmSecondFactor", "session.removeSecondFactor"],
  ],
  "Save, change and delete their own views of lists": ["views.create", "views.update", "views.delete"],
};
/** Whom the builder of a procedure lets in: developers, support, admins. */
const cells: Partial<Record<ProcedureMeta["for"], string>> = {
  everybody: "yes | yes | yes",
  oneself: "yes | yes | yes",
  owners: "yes | no | yes",
  admins: "no | no | yes",
};

const procedures = staffApi._def.procedures as unknown as Record<
  string,
  { _def: { type: string; meta?: ProcedureMeta } }
>;
const audienceOf = (name: string) => procedures[name]?._def.meta?.for ?? "visitors";
const table = new Map(
  [
    ...readFileSync("docs/roles.md", "utf8").matchAll(/^\| (.+?) \| ((?:yes|no) \| (?:yes|no) \| (?:yes|no)) \|$/gm),
  ].map(([, action = "", who = ""]) => [action, who]),
);

it.each(Object.entries(actions))("docs/roles.md says who may: %s", (action, names) => {
  expect(names.map((name) => [name, cells[audienceOf(name)]])).toEqual(names.map((name) => [name, table.get(action)]));
});

it("everything that changes something, or is not for everyone, is in the table", () => {
  const restricted = Object.entries(procedures).filter(
    ([name, { _def }]) => _def.type === "mutation" || ["owners", "admins"].includes(audienceOf(name)),
  );
  expect(restricted.map(([name]) => name).toSorted()).toEqual(Object.values(actions).flat().toSorted());
});

it("the rows that no procedure decides alone are these", () => {
  expect([...table.keys()].filter((action) => !(action in actions))).toEqual([
    "View deliveries, endpoints, requests, accounts and events, and export lists of them",
    // Of `deliveries.cancel`, where nobody asked for an attempt (tests/api/staff/role-matrix.test.ts).
    "Cancel pending deliveries",
    // Of `accounts.notes.delete` (tests/api/staff/notes.test.ts).
    "Delete notes of others",
  ]);
});
