import { describe, expect, it } from "vitest";
import { actionWord, type viewWords } from "@/components/dashboard/settings/words";
import { type AuditAction, actionsIn, auditActionNames, auditActions, auditViews } from "@/server/domain/audit/actions";

describe("the views of the audit trail", () => {
  it("have each action once, and together all of them", () => {
    const listed = auditViews.flatMap((view) => actionsIn([view]));
    expect(listed.toSorted()).toEqual(auditActionNames.toSorted());
    expect(actionsIn([])).toEqual(auditActionNames);
    expect(actionsIn(["reads", "sign_ins"])).toHaveLength(actionsIn(["reads"]).length + actionsIn(["sign_ins"]).length);
  });

  it("have what was looked at or taken away among the reads, and nothing else", () => {
    const reads = auditActionNames.filter((action) => /viewed$|exported$/.test(action));
    expect(actionsIn(["reads"])).toEqual(reads);
  });

  it.each<[AuditAction, keyof typeof viewWords]>([
    ["sign_in.failed", "sign_ins"],
    ["sign_in.second_step", "sign_ins"],
    ["signed_out", "sign_ins"],
    ["session.ended", "sign_ins"],
    ["password.refused", "sign_ins"],
    ["second_factor.refused", "sign_ins"],
    ["password.changed", "changes"],
    ["second_factor.removed", "changes"],
    ["operator.password_reset", "changes"],
    ["invitation.accepted", "changes"],
    ["alerts.tested", "changes"],
    ["organization.key_replaced", "changes"],
  ])("list %s among the %s", (action, view) => {
    expect(auditActions[action]).toBe(view);
  });
});

describe("the words for actions", () => {
  it("differ for each of them, and none is its name in the database", () => {
    const words = auditActionNames.map(actionWord);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => !/^[A-Z][a-z-]+( |$)/.test(word))).toEqual([]);
  });

  it("say that an operator re-authenticated, or could not", () => {
    expect(["password.proven", "password.refused"].map(actionWord)).toEqual([
      "Re-authenticated",
      "Re-authentication failed",
    ]);
  });

  it("are the name of an action that this version does not know", () => {
    expect(["toString", "operator.renamed"].map(actionWord)).toEqual(["toString", "operator.renamed"]);
  });
});
