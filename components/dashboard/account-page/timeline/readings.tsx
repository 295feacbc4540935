import {
  errorSentence,
  type NamedProvider,
  pollSentence,
  providerWord,
  pushSentence,
  sendsNotifications,
  syncsFailed,
} from "@/components/dashboard/accounts/words";
import { classes } from "@/components/ui/classes";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { Time } from "@/components/ui/time";
import type { CalendarReading, TimelineProfile } from "@/server/services/staff/accounts/timeline/shapes";

interface ReadingsProps {
  profiles: readonly TimelineProfile[];
  calendars: readonly CalendarReading[];
  now: number;
}

/**
 * Shows how Almanac learns of changes: when each profile and calendar was read, and until when their provider sends
 * notifications.
 */
export function Readings({ profiles, calendars, now }: ReadingsProps) {
  if (profiles.length === 0) return <p className="text-13 text-faint">No profiles are connected.</p>;
  return (
    <Lines>
      {profiles.flatMap((profile) => [
        <ProfileLine key={profile.id} profile={profile} now={now} />,
        ...calendars
          .filter(({ profileId, deleted }) => profileId === profile.id && !deleted)
          .map((calendar) => (
            <Line key={calendar.id}>
              <span className="pl-4">{calendar.name}</span>
              {profile.provider !== "hosted" && (
                <div className="pl-4">
                  <CalendarReadingLine calendar={calendar} profile={profile} now={now} />
                </div>
              )}
            </Line>
          )),
      ])}
    </Lines>
  );
}

function ProfileLine({ profile, now }: { profile: TimelineProfile; now: number }) {
  const { name, provider, connected, disconnectedAt, lastSyncAt, nextSyncAt, noticedAt, watchEndsAt } = profile;
  const { watchRefusedFor } = profile;
  return (
    <Line>
      <span className={classes("font-medium", !connected && "text-red")}>
        {name} <span className="font-normal text-faint">· {providerWord(profile)}</span>
      </span>
      {provider === "hosted" ? (
        <Aside>no sync needed</Aside>
      ) : (
        <Aside>
          {!connected && (
            <At name="disconnected" at={disconnectedAt} never="disconnected at an unknown time" now={now} />
          )}
          <At name="last sync" at={lastSyncAt} never="never synced" now={now} />
          {connected && <At name="next sync" at={nextSyncAt} never="no sync planned" now={now} />}
          {sendsNotifications(provider) && (
            <>
              <At name="last notification" at={noticedAt} never="no notifications yet" now={now} />
              <At
                name="notifications for the calendar list until"
                at={watchEndsAt}
                never="calendar list checked, without notifications"
                now={now}
              />
            </>
          )}
        </Aside>
      )}
      {connected && <p className="text-12 text-faint">{pollSentence(profile)}</p>}
      {watchRefusedFor && <p className="text-12">{pushSentence(watchRefusedFor, profile)}</p>}
    </Line>
  );
}

interface CalendarReadingProps {
  calendar: CalendarReading;
  profile: NamedProvider;
  now: number;
}

/** Shows when a calendar was read, and what prevents it from being read. */
export function CalendarReadingLine({ calendar, profile, now }: CalendarReadingProps) {
  const { readAt, noticedAt, watchEndsAt, watchRefusedFor, isStale, syncFailures, syncError } = calendar;
  return (
    <>
      <Aside>
        <At name="last read" at={readAt} never="last read not recorded" now={now} />
        {sendsNotifications(profile.provider) && (
          <>
            <At name="last notification" at={noticedAt} never="no notifications yet" now={now} />
            <At name="notifications until" at={watchEndsAt} never="checked, without notifications" now={now} />
          </>
        )}
        {isStale && syncError === null && <span>read at the next sync</span>}
      </Aside>
      {watchRefusedFor && <p className="text-12">{pushSentence(watchRefusedFor, profile)}</p>}
      {syncError && (
        <p className="text-12">
          {syncsFailed(syncFailures)}: {errorSentence(syncError, profile)}
        </p>
      )}
    </>
  );
}

function At({ name, at, never, now }: { name: string; at: number | null; never: string; now: number }) {
  if (at === null) return <span>{never}</span>;
  return (
    <span>
      {name} <Time at={new Date(at).toISOString()} now={now} />
    </span>
  );
}
