import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { columnSorts } from "@/components/dashboard/filters/sorting";
import { REQUESTED_FAULT, statusTone } from "@/components/dashboard/requests/words";
import { Tag } from "@/components/ui/chip";
import { Id } from "@/components/ui/id";
import { Duration } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { requestedFault, requestedFaultKey } from "@/server/domain/requested-faults";
import { type RequestRow, requestList } from "@/server/services/staff/lists/requests";

interface RequestTableProps {
  /** The page's path. */
  path: string;
  rows: readonly RequestRow[];
  params: Params;
  now: number;
  /** All are requests of one application, which the page names. */
  isOfOneApplication?: boolean;
  /** All are requests of one account, which the page names. */
  isOfOneAccount?: boolean;
}

/** Lists the request log. */
export function RequestTable({
  path,
  rows,
  params,
  now,
  isOfOneApplication = false,
  isOfOneAccount = false,
}: RequestTableProps) {
  const open = firstOf(params, "open");
  const sort = columnSorts(requestList, path, params);
  return (
    <Table
      label="Requests"
      head={
        <>
          <Th sort={sort("status")}>Status</Th>
          <Th>Request</Th>
          <Th from="lg">Error</Th>
          {!isOfOneApplication && <Th from="md">Application</Th>}
          {!isOfOneAccount && <Th from="xl">Account</Th>}
          <Th from="lg">Request ID</Th>
          <Th align="right" from="sm" sort={sort("slowest")}>
            Duration
          </Th>
          <Th align="right" sort={sort("newest", "oldest")}>
            Time
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          href={address(path, params, { open: row.id })}
          name={`${row.method} ${row.path}, request ${row.requestId}`}
          isOpen={row.id === open}
          first={<State tone={requestedFault(row.errorKeys) ? "off" : statusTone(row.status)}>{row.status}</State>}
        >
          <Cells {...{ row, now, isOfOneApplication, isOfOneAccount }} />
        </Row>
      ))}
    </Table>
  );
}

interface CellsProps {
  row: RequestRow;
  now: number;
  isOfOneApplication: boolean;
  isOfOneAccount: boolean;
}

function Cells({ row, now, isOfOneApplication, isOfOneAccount }: CellsProps) {
  const fault = requestedFault(row.errorKeys);
  const keys = row.errorKeys.filter((key) => fault === null || key !== requestedFaultKey(fault)).join(", ");
  const errors = [fault && `${REQUESTED_FAULT}: ${fault}`, keys].filter(Boolean).join(", ");
  return (
    <>
      <Td className="w-full max-w-0 truncate normal-nums" title={row.path}>
        <span className="inline-block min-w-11 pr-1.5 font-mono text-12 text-faint">{row.method}</span>
        <span className="font-mono text-12">{row.path}</span>
        <span className="block truncate text-12 text-faint from-sm:hidden">
          {errors || (!isOfOneApplication && row.applicationName) || row.requestId}
        </span>
      </Td>
      <Td from="lg" className="max-w-44 truncate" title={errors}>
        {fault && <Tag>{REQUESTED_FAULT}</Tag>}
        {keys && <span className="font-mono text-12">{keys}</span>}
        {!errors && <None />}
      </Td>
      {!isOfOneApplication && (
        <Td from="md" className="max-w-40 truncate normal-nums">
          {row.applicationName ?? (row.applicationId ? <Id id={row.applicationId} isInRow /> : <None />)}
        </Td>
      )}
      {!isOfOneAccount && (
        <Td from="xl" className="max-w-44 truncate normal-nums" title={row.accountName ?? undefined}>
          {row.accountName || (row.accountId ? <Id id={row.accountId} isInRow /> : <None />)}
        </Td>
      )}
      <Td from="lg">
        <Id id={row.requestId} isInRow />
      </Td>
      <Td align="right" from="sm" className="text-faint">
        <Duration ms={row.durationMs} />
      </Td>
      <Td align="right" className="text-faint">
        <Time at={row.at} now={now} />
      </Td>
    </>
  );
}

function None() {
  return <span className="text-faint">–</span>;
}
