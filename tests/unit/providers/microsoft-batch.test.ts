import { expect, it, onTestFinished } from "vitest";
import { egressFetch } from "@/server/egress/fetch";
import { graphApi } from "@/server/providers/microsoft/api";
import { batched } from "@/server/providers/microsoft/batch";
import { itemRequest } from "@/server/providers/microsoft/series-items";
import { startMicrosoft } from "../../fakes/microsoft/microsoft";
import { ADA } from "./microsoft-ada";
import { hourOn } from "./microsoft-store";

it("a part of a batch whose access token is rejected is asked again with another", async () => {
  const fake = await startMicrosoft();
  onTestFinished(() => fake.close());
  const { primary: calendar } = fake.account(ADA);
  const ids = [1, 2, 3].map((day) => calendar.putEvent({ subject: `Day ${day}`, ...hourOn(day) }));
  const rejected: (string | undefined)[] = [];
  const [old, fresh] = [fake.accessToken(ADA), fake.accessToken(ADA)];
  const accessToken = async (given?: string) => {
    if (given !== undefined) rejected.push(given);
    return rejected.length > 0 ? fresh : old;
  };
  const fetch = egressFetch({ trustedOrigins: [fake.origin], deadlineMs: 30_000, mostBytes: 1024 * 1024 });
  const api = graphApi(fetch, `${fake.origin}/v1.0`, { accessToken });
  const body = { error: { code: "InvalidAuthenticationToken", message: "" } };
  const second = new RegExp(`${encodeURIComponent(ids[1] ?? "")}|${ids[1]}`);
  for (let times = 0; times < 2; times += 1) fake.faults.next({ path: second, respond: { status: 401, body } });
  const responses = await batched(
    api,
    ids.map((id) => itemRequest(calendar.id, id)),
  );
  expect(responses.map((response) => response.body.subject)).toEqual(["Day 1", "Day 2", "Day 3"]);
  expect(rejected).toEqual([old]);
});
