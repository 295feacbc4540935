import { triggerWords } from "@/components/dashboard/accounts/trigger-words";
import { closerWord } from "@/components/dashboard/accounts/words";
import { endpointPath } from "@/components/dashboard/address/paths";
import { TestEvent } from "@/components/dashboard/deliveries/test-event";
import { endpointStates } from "@/components/dashboard/endpoints/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountChannel } from "@/server/services/staff/accounts/shapes";

/** Lists the channels that the account's changes go to, and its triggers. A channel's state is above its deliveries. */
export function Channels({ channels, now }: { channels: readonly AccountChannel[]; now: number }) {
  if (channels.length === 0) {
    return (
      <p className="text-13 text-faint">
        No channels or triggers. The application isn’t notified of changes to this account.
      </p>
    );
  }
  return (
    <Lines>
      {channels.map((channel) => (
        <Line
          key={channel.id}
          actions={
            <>
              <DetailLink href={endpointPath(channel.id)}>View endpoint</DetailLink>
              {channel.closedAt === null && !channel.isOfTrigger && <TestEvent channelId={channel.id} />}
            </>
          }
        >
          <span className="font-mono text-12">{channel.callbackUrl}</span>
          <Aside>
            <State tone={endpointStates[channel.state].tone}>{endpointStates[channel.state].word}</State>
            {channel.isOfTrigger ? (
              <>
                <span>trigger</span>
                {channel.trigger && <Id id={channel.trigger.id} />}
                {channel.trigger && <span>{triggerWords(channel.trigger)}</span>}
              </>
            ) : (
              <Id id={channel.id} />
            )}
            <span>
              created <Time at={channel.createdAt} now={now} />
            </span>
            {channel.state === "failing" && channel.failingSince && (
              <span>
                since <Time at={channel.failingSince} now={now} />
              </span>
            )}
            {channel.state === "paused" && channel.pausedAt && (
              <span>
                since <Time at={channel.pausedAt} now={now} />
              </span>
            )}
            {channel.closedAt && (
              <span>
                {closerWord(channel.closedBy)} <Time at={channel.closedAt} now={now} />
              </span>
            )}
          </Aside>
        </Line>
      ))}
    </Lines>
  );
}
