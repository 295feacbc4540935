import { expect, it } from "vitest";
import { adaAtMicrosoft } from "./microsoft-ada";
import { hourOn, storeOf } from "./microsoft-store";

const MANY = 130;

it("occurrences to which the user was invited without their series are there, however many they are", async () => {
  const { fake, api, calendar } = await adaAtMicrosoft();
  const rows = Array.from({ length: MANY }, (_, i) => {
    const id = calendar.putEvent({ subject: `Alone ${i}`, ...hourOn(1 + (i % 28)) });
    return { ...calendar.event(id), type: "exception", seriesMasterId: "AAkALgAAelsewhere" };
  });
  const { round, summaries } = storeOf({ api, calendar });
  const body = { value: rows, "@odata.deltaLink": `${fake.origin}/v1.0/me/calendarView/delta?$deltatoken=x` };
  fake.faults.next({ path: /\/delta$/, respond: { status: 200, body } });
  await round();
  expect(summaries()).toHaveLength(MANY);
});
