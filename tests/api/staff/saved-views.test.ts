import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MAX_VIEW_NAME, MAX_VIEW_QUERY, MOST_VIEWS } from "@/server/services/staff/views/limits";
import { newOperator, type Operator, refusal, stranger } from "./staff-caller";

let grace: Operator;
let ada: Operator;

beforeAll(async () => {
  grace = await newOperator("developer", "Grace", []);
  ada = await newOperator("admin", "Ada");
});

const failed = { list: "deliveries", name: "Failed at Acme", query: "state=failed&application=app_1" } as const;

describe("saved views", () => {
  it("are one's own: nobody else sees, changes or deletes them", async () => {
    const { id } = await grace.api.views.create(failed);
    expect(await grace.api.views.list()).toEqual([{ id, ...failed }]);
    expect(await grace.api.views.list({ list: "requests" })).toEqual([]);
    expect(await ada.api.views.list()).toEqual([]);
    const notFound = { kind: "not_found" };
    expect(await refusal(ada.api.views.update({ id, name: "Mine" }))).toEqual(notFound);
    expect(await refusal(ada.api.views.delete({ id }))).toEqual(notFound);
    await ada.api.views.create(failed); // The name is hers to use.
    expect(await grace.api.views.list()).toEqual([{ id, ...failed }]);
    const signedOut = { kind: "signed_out" };
    expect(await refusal(stranger().views.list())).toMatchObject(signedOut);
    expect(await refusal(stranger().views.create(failed))).toMatchObject(signedOut);
    expect(await refusal(stranger().views.update({ id, name: "Mine" }))).toMatchObject(signedOut);
    expect(await refusal(stranger().views.delete({ id }))).toMatchObject(signedOut);
  });

  it("are renamed, overwritten and deleted", async () => {
    const owner = await newOperator();
    const { id } = await owner.api.views.create(failed);
    await owner.api.views.update({ id, name: "  Failed at Acme  " }); // Its own name is free.
    await owner.api.views.update({ id, name: "Late" });
    await owner.api.views.update({ id, query: "late=true" });
    expect(await owner.api.views.list()).toEqual([{ id, list: "deliveries", name: "Late", query: "late=true" }]);
    await owner.api.views.delete({ id });
    expect(await owner.api.views.list()).toEqual([]);
    expect(await refusal(owner.api.views.delete({ id }))).toEqual({ kind: "not_found" });
  });

  it("have names that are taken once in a list", async () => {
    const owner = await newOperator();
    await owner.api.views.create(failed);
    const { id } = await owner.api.views.create({ ...failed, name: "Other" });
    await owner.api.views.create({ ...failed, list: "endpoints" });
    const taken = {
      kind: "invalid",
      issues: [{ path: ["name"], description: "name is already used by another view of this list" }],
    };
    expect(await refusal(owner.api.views.create(failed))).toMatchObject(taken);
    expect(await refusal(owner.api.views.update({ id, name: failed.name }))).toMatchObject(taken);
    const many = Array.from({ length: 5 }, () =>
      owner.api.views.create({ ...failed, name: "At once" }).catch(() => null),
    );
    expect((await Promise.all(many)).filter((one) => one !== null)).toHaveLength(1);
  });

  it("have a name of 1 to 60 characters and a query, of a list that there is", async () => {
    const fault = async (more: object) => await refusal(grace.api.views.create({ ...failed, ...more }));
    const at = (field: string) =>
      expect.objectContaining({ kind: "invalid", issues: [expect.objectContaining({ path: [field] })] });
    expect(await fault({ name: "" })).toEqual(at("name"));
    expect(await fault({ name: "   " })).toEqual(at("name"));
    expect(await fault({ name: "a".repeat(MAX_VIEW_NAME + 1) })).toEqual(at("name"));
    expect(await fault({ name: "two\nlines" })).toEqual(at("name"));
    expect(await fault({ query: "" })).toEqual(at("query"));
    expect(await fault({ query: "a".repeat(MAX_VIEW_QUERY + 1) })).toEqual(at("query"));
    expect(await fault({ list: "operators" })).toEqual(at("list"));
    const { id } = await grace.api.views.create({ ...failed, name: "é".repeat(MAX_VIEW_NAME) });
    await grace.api.views.delete({ id });
  });

  it(`are at most ${MOST_VIEWS} of a list, also if saved at once`, async () => {
    const owner = await newOperator();
    const save = (n: number) => owner.api.views.create({ ...failed, name: `View ${n}` });
    for (let n = 1; n < MOST_VIEWS; n += 1) await save(n);
    const last = await Promise.all(
      [100, 101, 102].map((n) =>
        save(n).then(
          () => "saved",
          () => "refused",
        ),
      ),
    );
    expect(last.sort()).toEqual(["refused", "refused", "saved"]);
    expect(await refusal(save(200))).toEqual({
      kind: "conflict",
      text: "A list has at most 20 saved views. Delete one first.",
    });
    await owner.api.views.create({ ...failed, list: "accounts" });
    expect(await owner.api.views.list({ list: "deliveries" })).toHaveLength(MOST_VIEWS);
  });

  it("go with their operator, and those of a list that is no more are not shown", async () => {
    const owner = await newOperator();
    const { id } = await owner.api.views.create(failed);
    await db().prisma.savedView.update({ where: { id }, data: { list: "charts" } });
    expect(await owner.api.views.list()).toEqual([]);
    await db().prisma.operatorSession.deleteMany({ where: { operatorId: owner.id } });
    await db().prisma.operator.delete({ where: { id: owner.id } });
    expect(await db().prisma.savedView.findUnique({ where: { id } })).toBeNull();
  });
});
