import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fakeClock } from "../../fakes/clock";
import { fileEnvironment } from "../file-environment";
import { caldavSide } from "./caldav-side";
import { asOn } from "./differences";
import { googleSide } from "./google-side";
import { hostedSide } from "./hosted-side";
import { microsoftSide, outlookSide } from "./microsoft-side";
import { NOW, play } from "./scenario";
import type { Side } from "./side";
import { readWeek, type Week } from "./week";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

/** The week at Google. `RENEW=1` writes it again. */
const file = new URL("week.json", import.meta.url);
const kept = (): Week => JSON.parse(readFileSync(file, "utf8"));

async function weekOf(open: () => Promise<Side>): Promise<Week> {
  fakeClock(NOW);
  const side = await open();
  await play(side);
  const week = await readWeek(side);
  await side.settled();
  expect(await readWeek(side)).toEqual(week);
  return week;
}

it("a week with everything in it is read from Google as it is kept in week.json", async () => {
  const week = await weekOf(googleSide);
  if (process.env.RENEW) writeFileSync(file, `${JSON.stringify(week, null, 2)}\n`);
  expect(week).toEqual(kept());
});

it("the same week is the same on iCloud, but for the differences that are listed", async () => {
  expect(await weekOf(caldavSide)).toEqual(asOn("icloud", kept()));
});

it("the same week is the same on an application calendar, but for the differences that are listed", async () => {
  expect(await weekOf(hostedSide)).toEqual(asOn("hosted", kept()));
});

it("the same week is the same at Microsoft 365, but for the differences that are listed", async () => {
  expect(await weekOf(microsoftSide)).toEqual(asOn("microsoft", kept()));
});

it("the same week is the same at Outlook.com, but for the differences that are listed", async () => {
  expect(await weekOf(outlookSide)).toEqual(asOn("outlook", kept()));
});
