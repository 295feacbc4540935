import { errorSentence, profileState, providerWord, syncsFailed } from "@/components/dashboard/accounts/words";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";

interface ProfileSummariesProps {
  profiles: readonly AccountProfile[];
  now: number;
}

/** Lists profiles in short: the state of each, and why it is not read. */
export function ProfileSummaries({ profiles, now }: ProfileSummariesProps) {
  if (profiles.length === 0) return <p className="text-13 text-faint">No profiles are connected.</p>;
  return (
    <Lines>
      {profiles.map((profile) => {
        const { tone, word } = profileState(profile);
        return (
          <Line key={profile.id}>
            <span className="flex flex-wrap items-center gap-x-3">
              <State tone={tone}>{word}</State>
              <span>{profile.name}</span>
            </span>
            <Aside>
              <span>{providerWord(profile)}</span>
              {profile.disconnectedAt && (
                <span>
                  since <Time at={profile.disconnectedAt} now={now} />
                </span>
              )}
              {profile.lastSyncAt && (
                <span>
                  synced <Time at={profile.lastSyncAt} now={now} />
                </span>
              )}
            </Aside>
            {profile.syncError && (
              <p className={profile.connected ? "text-12" : "text-12 text-red"}>
                {syncsFailed(profile.syncFailures)}: {errorSentence(profile.syncError, profile)}
              </p>
            )}
          </Line>
        );
      })}
    </Lines>
  );
}
