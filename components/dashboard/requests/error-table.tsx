import type { ReactNode } from "react";
import { address } from "@/components/dashboard/address/address";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { REQUESTED_FAULT, statusOfKey, statusTone, statusWords } from "@/components/dashboard/requests/words";
import { Tag } from "@/components/ui/chip";
import { formatCount } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Above, Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { requestedFault } from "@/server/domain/requested-faults";
import type { ErrorGrouping } from "@/server/services/staff/lists/requests";
import type { ErrorGroup } from "@/server/services/staff/requests/shapes";

interface ErrorTableProps {
  /** The path of the request list that the rows link to. */
  path: string;
  groups: readonly ErrorGroup[];
  range: string;
  by: ErrorGrouping;
  /** The application that was chosen. */
  application?: string;
  /** All are of one application, which the page names. */
  isOfOneApplication?: boolean;
  now: number;
}

/** Lists the errors, most frequent first. A row links to its requests. */
export function ErrorTable({ path, groups, range, by, application, isOfOneApplication, now }: ErrorTableProps) {
  const isOfAll = application === undefined && !isOfOneApplication;
  const requests = (group: ErrorGroup, open?: string) => {
    const owner = isOfOneApplication ? undefined : by === "error" ? application : (group.applicationId ?? undefined);
    return address(path, { ...narrowed(group, by), application: owner, range, open });
  };
  return (
    <Table
      label="Errors"
      head={
        <>
          <Th>Error</Th>
          <Th from="md">Route</Th>
          {isOfAll && <Th from="lg">Application</Th>}
          <Th from="xl">Account</Th>
          <Th align="right">Count</Th>
          <Th align="right" from="sm">
            Last seen
          </Th>
          <Th align="right">Latest</Th>
        </>
      }
    >
      {groups.map((group) => (
        <Row
          key={[group.method, group.endpoint, group.key, group.applicationId, group.accountId].join(" ")}
          href={requests(group)}
          name={`requests to ${endpointWords(group)}`}
          first={<Kind group={group} by={by} />}
        >
          <Td from="md" className="w-full max-w-0 truncate normal-nums" title={endpointWords(group)}>
            <span className="inline-block min-w-11 pr-1.5 font-mono text-12 text-faint">{group.method}</span>
            {group.endpoint ? (
              <span className="font-mono text-12">{group.endpoint}</span>
            ) : (
              <span className="text-faint">unknown path</span>
            )}
          </Td>
          {isOfAll && (
            <Td from="lg" className="max-w-44 normal-nums">
              <Named name={group.applicationName ?? group.applicationId} others={group.applications - 1} />
            </Td>
          )}
          <Td from="xl" className="max-w-52 normal-nums" title={group.accountName ?? undefined}>
            <Named name={group.accountName || group.accountId}>
              {group.accounts > 1 && `${formatCount(group.ofAccount)} of ${formatCount(group.count)}`}
            </Named>
          </Td>
          <Td align="right">
            {formatCount(group.count)}
            {group.of > group.count && <span className="text-faint"> of {formatCount(group.of)}</span>}
          </Td>
          <Td align="right" from="sm" className="text-faint">
            <Time at={group.last} now={now} />
          </Td>
          <Td align="right">
            <Above>
              <DetailLink href={requests(group, group.sampleId)}>
                Latest example<span className="sr-only"> of {group.key}</span>
              </DetailLink>
            </Above>
          </Td>
        </Row>
      ))}
    </Table>
  );
}

/** Shows the error, and in a narrow window also its route and who got it. */
function Kind({ group, by }: { group: ErrorGroup; by: ErrorGrouping }) {
  const who = by === "account" ? group.accountName || group.accountId : by === "application" && group.applicationName;
  const status = statusOfKey(group.key);
  return (
    <span className="block until-sm:max-w-44 max-w-64 truncate">
      {status === null ? (
        <>
          <span className="font-mono text-12">{group.key}</span>{" "}
          {requestedFault([group.key]) && <Tag>{REQUESTED_FAULT}</Tag>}
        </>
      ) : (
        <State tone={statusTone(status)}>{statusWords(status)}</State>
      )}
      <span className="block truncate text-12 text-faint from-md:hidden">{endpointWords(group)}</span>
      {who && <span className="block truncate text-12 from-md:hidden">{who}</span>}
    </span>
  );
}

/** Shows who got most of the errors. */
function Named({ name, others = 0, children }: { name: string | null; others?: number; children?: ReactNode }) {
  if (name === null) return <span className="text-faint">–</span>;
  return (
    <span className="flex gap-1.5">
      <span className="truncate">{name}</span>
      <span className="shrink-0 text-faint">
        {others > 0 && `+${formatCount(others)}`}
        {children}
      </span>
    </span>
  );
}

/** Returns the filters of the list that show the group's requests. */
function narrowed(group: ErrorGroup, by: ErrorGrouping): Record<string, string | undefined> {
  const { method, endpoint, key, accountId } = group;
  const isStatus = statusOfKey(key) !== null;
  return {
    ...{ method, endpoint: endpoint ?? undefined, [isStatus ? "status" : "errorKey"]: key },
    account: by === "account" ? (accountId ?? undefined) : undefined,
  };
}

function endpointWords({ method, endpoint }: ErrorGroup): string {
  return `${method} ${endpoint ?? "unknown path"}`;
}
