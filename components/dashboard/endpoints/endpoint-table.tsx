import type { Params } from "@/components/dashboard/address/address";
import { endpointPath } from "@/components/dashboard/address/paths";
import { CutEndpoint, Endpoint } from "@/components/dashboard/deliveries/endpoint";
import { lastAnswer } from "@/components/dashboard/deliveries/words";
import { endpointStates } from "@/components/dashboard/endpoints/words";
import { columnSorts } from "@/components/dashboard/filters/sorting";
import { SelectAll, SelectRow } from "@/components/dashboard/selection/selection";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { Duration, formatCount, formatShare } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { type EndpointRow, endpointList } from "@/server/services/staff/lists/endpoints";

interface EndpointTableProps {
  /** The page's path. */
  path: string;
  params: Params;
  rows: readonly EndpointRow[];
  now: number;
  /** All are endpoints of one application, which the page names. */
  isOfOneApplication?: boolean;
}

/** Lists the endpoints, failing ones first. */
export function EndpointTable({ path, params, rows, now, isOfOneApplication = false }: EndpointTableProps) {
  const sort = columnSorts(endpointList, path, params);
  return (
    <Table
      label="Endpoints"
      head={
        <>
          <Th sort={sort("failing")} mark={<SelectAll />}>
            State
          </Th>
          <Th>Endpoint</Th>
          {!isOfOneApplication && <Th from="lg">Application</Th>}
          <Th from="xl">Account</Th>
          <Th align="right" sort={sort("success")}>
            <span className="until-sm:hidden">Success, </span>24 h
          </Th>
          <Th align="right" from="xl" sort={sort("p95")}>
            p50, p95
          </Th>
          <Th align="right" from="md" sort={sort("failures")}>
            <span title="Consecutive failures">Failures</span>
          </Th>
          <Th from="md" sort={sort("lastError")}>
            Last error
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          href={endpointPath(row.id)}
          name={`endpoint ${row.id}`}
          mark={<SelectRow id={row.id} name={`endpoint ${row.id}`} />}
          first={<StateOf row={row} />}
        >
          <Cells row={row} now={now} isOfOneApplication={isOfOneApplication} />
        </Row>
      ))}
    </Table>
  );
}

interface CellsProps {
  row: EndpointRow;
  now: number;
  isOfOneApplication: boolean;
}

function Cells({ row, now, isOfOneApplication }: CellsProps) {
  return (
    <>
      <Td className="until-md:w-full until-md:max-w-0">
        <span className="block from-md:hidden">
          <CutEndpoint endpoint={row.endpoint} />
        </span>
        <span className="block until-md:hidden">
          <Endpoint endpoint={row.endpoint} />
        </span>
        {!isOfOneApplication && (
          <span className="block truncate text-12 text-faint normal-nums from-lg:hidden">{row.applicationName}</span>
        )}
      </Td>
      {!isOfOneApplication && (
        <Td from="lg" className="w-1/5 max-w-0 truncate normal-nums" title={row.applicationName}>
          {row.applicationName}
        </Td>
      )}
      <Td from="xl" className="w-1/5 max-w-0 truncate normal-nums" title={row.accountName}>
        {row.accountName || <Id id={row.accountId} isInRow />}
      </Td>
      <Td align="right" className={classes(row.successRate24h === null && "text-faint")}>
        {formatShare(row.successRate24h)}
        <span className="block text-12 text-faint from-sm:hidden">
          {row.p95Ms !== null && <Duration ms={row.p95Ms} />}
        </span>
      </Td>
      <Td align="right" from="xl">
        {row.p95Ms === null ? (
          "–"
        ) : (
          <>
            <Duration ms={row.p50Ms} />, <Duration ms={row.p95Ms} />
          </>
        )}
      </Td>
      <Td align="right" from="md" className={classes(row.consecutiveFailures === 0 && "text-faint")}>
        {formatCount(row.consecutiveFailures)}
      </Td>
      <Td from="md" className={classes("max-w-52 truncate", row.state === "failing" ? "text-red" : "text-faint")}>
        {row.lastFailure ? (
          <>
            {errorOf(row.lastFailure)} <Time at={row.lastFailure.at} now={now} />
          </>
        ) : (
          "–"
        )}
      </Td>
    </>
  );
}

/** Shows an endpoint's state, and in a narrow window also why it fails. */
function StateOf({ row }: { row: EndpointRow }) {
  const { tone, word } = endpointStates[row.state];
  return (
    <>
      <State tone={tone}>{word}</State>
      {row.state === "failing" && row.lastFailure && (
        <span className="block max-w-28 truncate text-12 text-red from-sm:hidden">
          {row.consecutiveFailures} × {errorOf(row.lastFailure)}
        </span>
      )}
    </>
  );
}

function errorOf({ status, error }: NonNullable<EndpointRow["lastFailure"]>): string {
  return lastAnswer({ lastStatus: status, lastError: error });
}
