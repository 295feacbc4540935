import { DeedButton } from "@/components/dashboard/accounts/deed-button";
import { faultWord, profileState, providerWord } from "@/components/dashboard/accounts/words";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";

/** The calendar accounts that a person connected: whether they are, and how reading them goes. */
export function Profiles({ profiles, now }: { profiles: readonly AccountProfile[]; now: number }) {
  if (profiles.length === 0) return <p className="text-13 text-faint">None is connected.</p>;
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
                <DeedButton
                  work={{ syncNow: profile.id }}
                  verb="Sync now"
                  busy="Asking …"
                  said="It is read from its provider now"
                />
              )
            }
          >
            <span className="flex flex-wrap items-center gap-x-3">
              <State tone={tone}>{word}</State>
              <span>{profile.name}</span>
            </span>
            <Aside>
              <span>{providerWord(profile.provider)}</span>
              <Id id={profile.id} />
              <Syncs profile={profile} now={now} />
            </Aside>
            {profile.syncError && (
              <p className={profile.connected ? "text-12" : "text-12 text-red"}>
                {profile.syncFailures > 1
                  ? `${profile.syncFailures} syncs in a row failed: `
                  : "The last sync failed: "}
                {faultWord(profile.syncError)} <span className="font-mono text-faint">{profile.syncError}</span>
              </p>
            )}
          </Line>
        );
      })}
    </Lines>
  );
}

function Syncs({ profile, now }: { profile: AccountProfile; now: number }) {
  if (profile.provider === "hosted") return <span>nothing to sync</span>;
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
          next sync due <Time at={profile.syncDueAt} now={now} />
        </span>
      )}
    </>
  );
}
