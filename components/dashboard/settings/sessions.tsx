"use client";

import { signOut } from "@/components/dashboard/shell/sign-out";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Tag } from "@/components/ui/chip";
import { Fault } from "@/components/ui/fault";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { SessionRow } from "@/server/services/staff/sessions/list";

const states: Record<SessionRow["state"], { tone: Tone; word: string }> = {
  open: { tone: "good", word: "Active" },
  ended: { tone: "off", word: "Ended" },
  expired: { tone: "off", word: "Expired" },
};

/** Lists where an operator is and was signed in. */
export function Sessions({ sessions, now }: { sessions: readonly SessionRow[]; now: number }) {
  if (sessions.length === 0) return <p className="text-13 text-faint">No sessions.</p>;
  return (
    <Lines>
      {sessions.map((session) => {
        const { tone, word } = states[session.state];
        return (
          <Line key={session.id} actions={session.state === "open" && <EndSession session={session} />}>
            <span className="flex flex-wrap items-center gap-x-3">
              <State tone={tone}>{word}</State>
              {session.device && <span title={session.userAgent ?? undefined}>{session.device}</span>}
              {session.isCurrent && <Tag>this session</Tag>}
            </span>
            <Aside>
              <span>{session.way === "password" ? "password" : "single sign-on"}</span>
              <span>
                started <Time at={session.createdAt} now={now} />
              </span>
              <span>
                last seen <Time at={session.lastSeenAt} now={now} />
              </span>
              {session.address && <span>{session.address}</span>}
            </Aside>
            {!session.device && session.userAgent && <span className="text-12 text-faint">{session.userAgent}</span>}
          </Line>
        );
      })}
    </Lines>
  );
}

/** Ends one's sessions but this one. Nothing while there are no others. */
export function EndOtherSessions({ sessions }: { sessions: readonly SessionRow[] }) {
  const action = useAction();
  if (!sessions.some(({ state, isCurrent }) => state === "open" && !isCurrent)) return null;
  return (
    <div className="mb-3 grid justify-items-start gap-1">
      <Button
        disabled={action.isBusy}
        onClick={() => action.run(() => staffClient.session.endOthers.mutate(), "Other sessions ended")}
      >
        {action.isBusy ? "Ending…" : "End all other sessions"}
      </Button>
      <Fault>{action.fault}</Fault>
    </div>
  );
}

function EndSession({ session: { id, isCurrent } }: { session: SessionRow }) {
  const action = useAction();
  if (isCurrent) return <Button onClick={signOut}>Sign out</Button>;
  return (
    <>
      <Button
        disabled={action.isBusy}
        onClick={() => action.run(() => staffClient.session.end.mutate({ id }), "Session ended")}
      >
        {action.isBusy ? "Ending…" : "End session"}
      </Button>
      <Fault>{action.fault}</Fault>
    </>
  );
}
