import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import { eraseApplications } from "@/server/store/applications/erase";
import { withoutColumn } from "../../fakes/missing-name";
import { addNote } from "../../fakes/stored-notes";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { output } from "../searched-secrets";
import { type Opened, openCalendar } from "../service";
import { newOperator as newPerson, signedInBrowser } from "./browser";
import { auditOf, newOperator, type Operator, refusal, stranger } from "./staff-caller";

ownDatabase();

const LONGEST = 2_000;

let opened: Opened;
let accountId: string;
let application: string;
let support: Operator;
let colleague: Operator;
let admin: Operator;
let developer: Operator;

beforeAll(async () => {
  opened = await openCalendar();
  application = await applicationId(opened.application);
  support = await newOperator("support", "Ines");
  colleague = await newOperator("support", "Jonas");
  admin = await newOperator("admin", "Ada");
  developer = await newOperator("developer", "Lin", [application]);
});

beforeEach(async () => {
  await db().prisma.accountNote.deleteMany({});
  ({ accountId } = await openCalendar(opened.application));
});

const add = (by: Operator, text: string) => by.api.accounts.notes.add({ accountId, text });
const list = (by: Operator) => by.api.accounts.notes.list({ accountId });

describe("notes on an account", () => {
  it("are listed the newest first with their authors, for everyone who may see the account", async () => {
    expect(await list(support)).toEqual([]);
    const texts = ["Called back.\nWill reconnect on Monday.", "Prefers email", "Reconnected 🎉"];
    const authors = [support, admin, developer]; // in the order of their clocks
    for (const [n, text] of texts.entries()) await add(authors[n] as Operator, text);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    for (const [reader, own] of [
      [support, "Ines"],
      [developer, "Lin"],
      [colleague, ""],
    ] as const) {
      expect(await list(reader)).toEqual(
        [
          { author: "Lin", text: "Reconnected 🎉" },
          { author: "Ada", text: "Prefers email" },
          { author: "Ines", text: "Called back.\nWill reconnect on Monday." },
        ].map((note) => ({
          ...note,
          id: expect.stringMatching(/^nte_[0-9a-f]{24}$/),
          createdAt: time,
          mayDelete: note.author === own,
        })),
      );
    }
    expect((await list(admin)).every(({ mayDelete }) => mayDelete)).toBe(true);
    expect(await support.api.accounts.head({ id: accountId })).toMatchObject({ noteCount: 3 });
    expect(await support.api.accounts.get({ id: accountId })).toMatchObject({ noteCount: 3 });
  });

  it("are the newest 100 of more, and are counted all the same", async () => {
    const began = Date.now();
    for (let n = 0; n < 101; n += 1) await addNote(accountId, `Note ${n}`, null, new Date(began + n));
    const notes = await list(support);
    expect([notes.length, notes[0]?.text, notes.at(-1)?.text]).toEqual([100, "Note 100", "Note 1"]);
    expect(notes[0]).toMatchObject({ author: null, mayDelete: false });
    expect((await support.api.accounts.head({ id: accountId })).noteCount).toBe(101);
  });

  it("have 1 to 2,000 characters, without the space around them", async () => {
    await add(support, `  ${"🎉".repeat(LONGEST)}\n`);
    expect((await list(support))[0]?.text).toBe("🎉".repeat(LONGEST));
    for (const [text, key] of [
      ["a".repeat(LONGEST + 1), "errors.too_big"],
      ["", "errors.too_small"],
      [" \n\t", "errors.too_small"],
      ["a\u0000", "errors.invalid"],
    ] as const) {
      expect(await refusal(add(support, text))).toMatchObject({ kind: "invalid", issues: [{ path: ["text"], key }] });
    }
    expect(await list(support)).toHaveLength(1);
  });

  it("are deleted by their author or an admin, and by nobody else", async () => {
    const { id } = await add(support, "Mine");
    const remove = (by: Operator, note = id) => by.api.accounts.notes.delete({ id: note });
    for (const other of [colleague, developer]) {
      expect(await refusal(remove(other))).toEqual({
        kind: "forbidden",
        text: "Only the author and admins can delete a note.",
      });
    }
    expect(await list(support)).toHaveLength(1);
    await remove(support);
    expect(await list(support)).toEqual([]);
    expect(await refusal(remove(support))).toEqual({ kind: "not_found" });
    await remove(admin, (await add(developer, "Theirs")).id);
    await remove(admin, await addNote(accountId));
    expect(await list(support)).toEqual([]);
  });

  it("of another application do not exist for a developer, and no account's do for a stranger", async () => {
    const other = await openCalendar();
    const note = await addNote(other.accountId);
    const notFound = { kind: "not_found" };
    const { notes } = developer.api.accounts;
    expect(await refusal(notes.list({ accountId: other.accountId }))).toEqual(notFound);
    expect(await refusal(notes.add({ accountId: other.accountId, text: "Hello" }))).toEqual(notFound);
    expect(await refusal(notes.delete({ id: note }))).toEqual(notFound);
    expect(await refusal(developer.api.accounts.head({ id: other.accountId }))).toEqual(notFound);
    for (const by of [support, admin]) {
      expect(await refusal(by.api.accounts.notes.list({ accountId: "acc_0" }))).toEqual(notFound);
      expect(await refusal(by.api.accounts.notes.add({ accountId: "acc_0", text: "Hello" }))).toEqual(notFound);
      expect(await refusal(by.api.accounts.notes.delete({ id: "nte_0" }))).toEqual(notFound);
    }
    expect(await refusal(stranger().accounts.notes.list({ accountId }))).toMatchObject({ kind: "signed_out" });
    expect(await support.api.accounts.notes.list({ accountId: other.accountId })).toHaveLength(1);
  });

  it("are in the audit trail without their text", async () => {
    const { id } = await add(support, "Their landlord called");
    await admin.api.accounts.notes.delete({ id });
    expect(await auditOf(accountId)).toEqual([
      { action: "note.added", operator_id: support.id, detail: { noteId: id } },
      { action: "note.deleted", operator_id: admin.id, detail: { noteId: id } },
    ]);
    const trail = await db().prisma.auditEntry.findMany({ select: { detail: true } });
    expect(JSON.stringify(trail)).not.toContain("landlord");
  });

  it("reach no log: neither added, nor refused, nor when the database fails", async () => {
    const logged = output();
    const browser = await signedInBrowser(await newPerson());
    const note = (text: string) => browser.mutate("accounts.notes.add", { accountId, text });
    expect((await note("Their landlord called")).status).toBe(200);
    expect((await note("landlord ".repeat(LONGEST))).status).toBe(422);
    const failed = await withoutColumn("account_notes", "text", () => note("Their landlord called again"));
    expect(failed.status).toBe(500);
    expect(logged.text()).toContain("accounts.notes.add");
    expect(logged.text()).not.toContain("landlord");
    expect(failed.text).not.toContain("landlord");
  });

  it("stay when the account is revoked and when their author is gone, and are erased with the account", async () => {
    const own = await openCalendar();
    await addNote(own.accountId, "Kept", (await newOperator("support", "Temp")).id);
    await revokeAccount(db(), own.accountId, Date.now());
    const { operatorId } = await db().prisma.accountNote.findFirstOrThrow({ where: { accountId: own.accountId } });
    await db().prisma.operatorSession.deleteMany({ where: { operatorId: operatorId ?? "" } });
    await db().prisma.operator.delete({ where: { id: operatorId ?? "" } });
    const after = await support.api.accounts.notes.list({ accountId: own.accountId });
    expect(after).toMatchObject([{ text: "Kept", author: null }]);
    const id = await applicationId(own.application);
    const { name } = await admin.api.applications.head({ id });
    await admin.api.applications.delete({ id, name });
    while (await eraseApplications(db(), Date.now() as Instant, () => true));
    expect(await db().prisma.accountNote.count({ where: { accountId: own.accountId } })).toBe(0);
  });
});
