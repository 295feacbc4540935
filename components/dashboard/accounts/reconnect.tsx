import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import type { AccountProfile, ReconnectLink } from "@/server/services/staff/accounts/shapes";

interface ReconnectProps {
  profile: AccountProfile;
  applicationName: string;
  /** Almanac's address for browsers: `https://almanac.acme.io`. */
  appUrl: string;
  now: number;
}

/** Shows what waits for a user to reconnect, since when, and the link for it. */
export function Reconnect({ profile, applicationName, appUrl, now }: ReconnectProps) {
  const { name, waitingWrites, disconnectedAt, reconnectPath } = profile;
  return (
    <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-1">
      <p>
        {waitingSentence(waitingWrites, name)}
        {disconnectedAt && (
          <>
            {" "}
            Disconnected <Time at={disconnectedAt} now={now} />.
          </>
        )}
      </p>
      {reconnectPath === null ? (
        <p className="text-12 text-faint">
          There is no reconnect link because {applicationName} has no redirect URI. Add one, or have the user reconnect
          from {applicationName}.
        </p>
      ) : (
        <>
          <div className="flex items-center gap-2 rounded-md border bg-sunk py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 truncate font-mono text-12" title={appUrl + reconnectPath}>
              {appUrl + reconnectPath}
            </code>
            <CopyButton text={appUrl + reconnectPath} name="reconnect link" word="Copy reconnect link" />
          </div>
          <p className="text-12 text-faint">
            Send this link to the user. It reconnects the same calendars, then returns to {applicationName} without a{" "}
            <code className="font-mono">state</code>. Even if {applicationName} then shows an error, the calendars are
            reconnected.
          </p>
        </>
      )}
    </div>
  );
}

/** Lists the links that the application made for the user, without their secrets. */
export function ReconnectLinks({ links, now }: { links: readonly ReconnectLink[]; now: number }) {
  if (links.length === 0) return null;
  return (
    <ul className="text-12 text-faint">
      {links.map(({ createdAt, expiresAt, usedAt }) => (
        <li key={createdAt}>
          Reconnect link created <Time at={createdAt} now={now} />,{" "}
          {usedAt === null ? (
            <>
              open, expires <Time at={expiresAt} now={now} />
            </>
          ) : (
            <>
              used <Time at={usedAt} now={now} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Formats what waits: "3 writes wait until anna@acme.io reconnects." */
function waitingSentence(count: number, name: string): string {
  if (count === 0) return `Nothing is synced until ${name} reconnects.`;
  return `${count === 1 ? "1 write waits" : `${formatCount(count)} writes wait`} until ${name} reconnects.`;
}
