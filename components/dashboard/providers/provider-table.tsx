import type { ReactNode } from "react";
import { errorsText, stateWords } from "@/components/dashboard/providers/words";
import { counted, formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { ProviderHealth } from "@/server/services/staff/providers/shapes";

interface ProviderTableProps {
  providers: readonly ProviderHealth[];
  now: number;
}

/** Lists the providers of calendars with their state. A narrow window has the figures under the name. */
export function ProviderTable({ providers, now }: ProviderTableProps) {
  if (providers.length === 0) {
    return (
      <p className="border-t px-6 py-3 text-13 text-faint max-sm:px-4">
        No providers yet. They are listed here once Google, Microsoft or iCloud is set up, or a calendar is connected.
      </p>
    );
  }
  return (
    <div className="border-t">
      <Table
        label="Providers"
        head={
          <>
            <Th>Provider</Th>
            <Th>State</Th>
            <Th align="right" from="sm">
              Profiles
            </Th>
            <Th align="right" from="sm">
              Failing
            </Th>
            <Th align="right" from="lg">
              Push notifications
            </Th>
            <Th align="right" from="md">
              Pending writes
            </Th>
            <Th align="right" from="sm">
              Last read
            </Th>
          </>
        }
      >
        {providers.map((provider) => (
          <ProviderRow key={provider.provider} provider={provider} now={now} />
        ))}
      </Table>
    </div>
  );
}

function ProviderRow({ provider, now }: { provider: ProviderHealth; now: number }) {
  const { tone, word } = stateWords[provider.state];
  const { failing, pushes, last_read_at, writes_waiting, writes_due_since } = provider;
  return (
    <Row
      first={
        <span className="block py-1.5">
          {provider.name}
          <Details provider={provider} now={now} />
        </span>
      }
    >
      <Td>
        <State tone={tone}>{word}</State>
      </Td>
      <Td align="right" from="sm">
        {formatCount(provider.mailboxes)}
      </Td>
      <Td align="right" from="sm">
        {formatCount(failing)}
      </Td>
      <Td align="right" from="lg">
        {pushes === null ? <span className="text-faint">none</span> : formatCount(pushes)}
      </Td>
      <Td align="right" from="md">
        {formatCount(writes_waiting)}
        {writes_due_since && (
          <span className="text-faint">
            {" "}
            (since <Time at={writes_due_since} now={now} />)
          </span>
        )}
      </Td>
      <Td align="right" from="sm" className="text-faint">
        {last_read_at ? <Time at={last_read_at} now={now} /> : "never"}
      </Td>
    </Row>
  );
}

/** Says what is wrong, since when and until when. */
function Details({ provider, now }: { provider: ProviderHealth; now: number }) {
  const { throttled, throttled_all, throttled_since, throttled_until, failing, failing_since } = provider;
  return (
    <>
      <span className="sm:hidden">
        <Detail>{counted(provider.mailboxes, "profile")}</Detail>
      </span>
      {throttled_until && (
        <Detail>
          Rate limiting {throttled_all ? "all profiles" : `${formatCount(throttled)} of them`}
          {throttled_since && (
            <>
              {" "}
              since <Time at={throttled_since} now={now} />
            </>
          )}
          . Requests resume <Time at={throttled_until} now={now} />.
        </Detail>
      )}
      {failing > 0 && failing_since && (
        <Detail>
          {formatCount(failing)} failing since <Time at={failing_since} now={now} />. {errorsText(provider)}
        </Detail>
      )}
    </>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="block text-12 whitespace-normal text-faint">{children}</span>;
}
