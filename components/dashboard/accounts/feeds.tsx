"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { staffClient } from "@/components/dashboard/staff-client";
import { Id } from "@/components/ui/id";
import { Aside } from "@/components/ui/lines";
import { Time } from "@/components/ui/time";
import type { AccountFeed } from "@/server/services/staff/accounts/shapes";

const details: Record<AccountFeed["detail"], string> = { busy: "busy times", titles: "titles", full: "full events" };

/** Lists the feeds of a calendar: what each shows, and when it was last read. */
export function Feeds({ feeds, now }: { feeds: readonly AccountFeed[]; now: number }) {
  return feeds.map((feed) => (
    <Aside key={feed.id}>
      <span className="text-ink">Feed of {details[feed.detail]}</span>
      <span>
        {feed.daysBack} days back to {feed.daysAhead} ahead
      </span>
      <Id id={feed.id} />
      <span>
        created <Time at={feed.createdAt} now={now} />
      </span>
      <span>{feed.lastReadAt === null ? "never read" : <LastRead at={feed.lastReadAt} now={now} />}</span>
      <ConfirmedAction
        label="End…"
        name={`End feed ${feed.id}`}
        isDanger
        title="End this feed?"
        text="Its address stops working, and calendar apps that use it no longer update. This can’t be undone."
        verb="End feed"
        announcement="Feed ended"
        work={() => staffClient.accounts.endFeed.mutate({ id: feed.id })}
      />
    </Aside>
  ));
}

function LastRead({ at, now }: { at: string; now: number }) {
  return (
    <>
      last read <Time at={at} now={now} />
    </>
  );
}
