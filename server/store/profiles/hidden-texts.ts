import type { Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import { putChange } from "@/server/store/channels/outbox";
import { calendarsToHide, forgetReads, hideTextsOfCalendar } from "@/server/store/profiles/hidden-texts.sql";

interface ChangedAccess {
  profileId: string;
  accountId: string;
  before: Access;
  after: Access;
}

/**
 * Removes what the events of a profile say once its user allows no more than free/busy, and has everything read again
 * once they allow more. The caller has locked the profile's account and calendars.
 */
export async function changeTexts(query: Query, { profileId, accountId, before, after }: ChangedAccess): Promise<void> {
  if ((before === "free_busy") === (after === "free_busy")) return;
  await run(query, forgetReads, [profileId]);
  if (after !== "free_busy") return;
  for (const { id: calendarId, isShown } of await run(query, calendarsToHide, [profileId])) {
    const { at } = await runOne(query, hideTextsOfCalendar, [calendarId]);
    if (at !== null && isShown) await putChange(query, { by: "others", accountId, calendarId, managed: false, at });
  }
}
