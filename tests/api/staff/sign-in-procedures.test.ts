import { expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { exportCaller } from "@/server/services/staff/lists/exporting";
import { signInCaller } from "@/server/services/staff/sign-in/api";
import { browser, newOperator, signedInBrowser } from "./browser";
import { auditOf, refusal } from "./staff-caller";

const nobody = () => ({
  db: db(),
  now: clock().now(),
  operator: null,
  address: null,
  requestId: newToken(),
});

it("ends a session and notes an export for operators alone", async () => {
  const context = nobody();
  expect(await refusal(signInCaller(context).signOut())).toMatchObject({ kind: "signed_out" });
  const note = exportCaller(context).note({ list: "requests", filters: { of: context.requestId } });
  expect(await refusal(note)).toMatchObject({ kind: "signed_out" });
  const noted = await auditOf("requests");
  expect(JSON.stringify(noted)).not.toContain(context.requestId);
});

it("lets no browser call by name what signs in and out, or notes an export", async () => {
  const operator = await signedInBrowser(await newOperator());
  for (const name of ["byPassword", "byIssuer", "signOut", "signIn.byPassword", "note", "exports.note"]) {
    const isRead = await operator.query(name);
    expect([name, isRead.status]).toEqual([name, 404]);
    const isWritten = await operator.mutate(name, {});
    expect([name, isWritten.status]).toEqual([name, 404]);
  }
  expect((await browser().query("byPassword")).status).toBe(404);
});
