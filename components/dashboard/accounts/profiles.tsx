import { ActionButton } from "@/components/dashboard/accounts/action-button";
import { Reconnect, ReconnectLinks } from "@/components/dashboard/accounts/reconnect";
import {
  accessWords,
  errorSentence,
  profileState,
  providerWord,
  syncsFailed,
} from "@/components/dashboard/accounts/words";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";

interface ProfilesProps {
  profiles: readonly AccountProfile[];
  applicationName: string;
  appUrl: string;
  now: number;
}

/** Lists the calendar accounts that a user connected: whether they still are, and how reading them goes. */
export function Profiles({ profiles, applicationName, appUrl, now }: ProfilesProps) {
  if (profiles.length === 0) return <p className="text-13 text-faint">No profiles are connected.</p>;
  return (
    <Lines>
      {profiles.map((profile) => {
        const { tone, word } = profileState(profile);
        const isSynced = profile.connected && profile.syncDueAt !== null;
        return (
          <Line
            key={profile.id}
            actions={
              isSynced && (
                <ActionButton
                  work={{ syncNow: profile.id }}
                  verb="Sync now"
                  busy="Starting…"
                  announcement="Sync started"
                />
              )
            }
          >
            <span className="flex flex-wrap items-center gap-x-3">
              <State tone={tone}>{word}</State>
              <span>{profile.name}</span>
            </span>
            <Aside>
              <span>
                {providerWord(profile)}
                {profile.host && ` at ${profile.host}`}
              </span>
              {accessWords[profile.access] && <span>{accessWords[profile.access]}</span>}
              <Id id={profile.id} />
              <Syncs profile={profile} now={now} />
            </Aside>
            {profile.syncError && (
              <p className={profile.connected ? "text-12" : "text-12 text-red"}>
                {syncsFailed(profile.syncFailures)}: {errorSentence(profile.syncError, profile)}
              </p>
            )}
            {!profile.connected && (
              <Reconnect profile={profile} applicationName={applicationName} appUrl={appUrl} now={now} />
            )}
            <ReconnectLinks links={profile.reconnectLinks} now={now} />
          </Line>
        );
      })}
    </Lines>
  );
}

function Syncs({ profile, now }: { profile: AccountProfile; now: number }) {
  if (profile.provider === "hosted") return <span>no sync needed</span>;
  return (
    <>
      <span>
        {profile.lastSyncAt ? (
          <>
            synced <Time at={profile.lastSyncAt} now={now} />
          </>
        ) : (
          "never synced"
        )}
      </span>
      {profile.connected && profile.syncDueAt && (
        <span>
          next sync <Time at={profile.syncDueAt} now={now} />
        </span>
      )}
    </>
  );
}
