import Link from "next/link";
import { endpointPath, narrowed } from "@/components/dashboard/address/paths";
import { CutEndpoint, Endpoint } from "@/components/dashboard/deliveries/endpoint";
import { lastAnswer } from "@/components/dashboard/deliveries/words";
import { Count, formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { endpointList } from "@/server/services/staff/lists/endpoints";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";

/**
 * Shows the endpoints where deliveries fail now, before all figures. A row links to its endpoints, which are listed by
 * the same rule.
 */
export function FailingEndpoints({ failing, now }: { failing: Overview["failingEndpoints"]; now: number }) {
  const { items, groups, count, more } = failing;
  return (
    <section aria-labelledby="failing" className="border-t pt-3 has-[>div:last-child]:-mb-px">
      <h2 id="failing" className="px-6 pb-1 text-13 font-medium max-sm:px-4">
        {count === 0 ? (
          "Failing endpoints"
        ) : (
          <Link href={FAILING} prefetch={false} className="hover:text-accent">
            Failing endpoints{" "}
            <span className="font-normal text-faint">
              <Count count={count} more={more} />
            </span>
          </Link>
        )}
      </h2>
      {count === 0 ? (
        <p className="px-6 pb-3 text-13 text-faint max-sm:px-4">
          <State tone="off">None</State>
        </p>
      ) : (
        <FailingTable items={items} now={now} />
      )}
      {groups > items.length && (
        <p className="px-6 py-2 text-12 text-faint max-sm:px-4">
          Top {items.length} callback URLs by failing channels.{" "}
          <Link href={FAILING} prefetch={false} className="text-accent underline underline-offset-3">
            Show all
          </Link>
        </p>
      )}
    </section>
  );
}

function FailingTable({ items, now }: { items: readonly FailingEndpoint[]; now: number }) {
  return (
    <Table
      label="Failing endpoints"
      head={
        <>
          <Th>Callback URL</Th>
          <Th from="md">Application</Th>
          <Th from="sm">Last response</Th>
          <Th align="right" from="sm">
            Channels
          </Th>
          <Th align="right">
            <span className="until-sm:hidden">Consecutive failures</span>
            <span className="from-sm:hidden">Failures</span>
          </Th>
          <Th align="right">Since</Th>
          <Th align="right" from="lg">
            Last success
          </Th>
        </>
      }
    >
      {items.map((item) => (
        <Row
          key={`${item.applicationId} ${item.endpoint}`}
          href={endpointsOf(item)}
          name="view endpoints"
          first={
            <>
              <span className="block max-w-40 from-sm:hidden">
                <CutEndpoint endpoint={item.endpoint} />
              </span>
              <span className="block until-sm:hidden">
                <Endpoint endpoint={item.endpoint} />
              </span>
              <span className="block text-12 text-red from-sm:hidden">{lastAnswer(item)}</span>
            </>
          }
        >
          <Td from="md" className="max-w-40 truncate">
            {item.applicationName}
          </Td>
          <Td from="sm">
            <State tone="bad">{lastAnswer(item)}</State>
          </Td>
          <Td align="right" from="sm">
            {formatCount(item.channels)}
          </Td>
          <Td align="right">{formatCount(item.consecutiveFailures)}</Td>
          <Td align="right" className="text-faint">
            <Time at={item.failingSince} now={now} />
          </Td>
          <Td align="right" from="lg" className="text-faint">
            {item.lastSuccessAt ? <Time at={item.lastSuccessAt} now={now} /> : "None in 7 days"}
          </Td>
        </Row>
      ))}
    </Table>
  );
}

const FAILING = narrowed(endpointList.path, "state", "failing");

/** Links to the endpoint's page, or for several at one URL to the list of those that fail and begin like it. */
function endpointsOf({ channelId, channels, applicationId, endpoint }: FailingEndpoint): string {
  if (channels === 1) return endpointPath(channelId);
  return `${endpointList.path}?${new URLSearchParams({ state: "failing", application: applicationId, q: endpoint })}`;
}
