import { accountName, accountState } from "@/components/dashboard/accounts/words";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { columnSorts } from "@/components/dashboard/filters/sorting";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { Count, counted } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";

interface AccountTableProps {
  /** The page's path. */
  path: string;
  rows: readonly AccountRow[];
  params: Params;
  now: number;
  /** All are accounts of one application, which the page names. */
  isOfOneApplication?: boolean;
}

/** Lists accounts. */
export function AccountTable({ path, rows, params, now, isOfOneApplication = false }: AccountTableProps) {
  const open = firstOf(params, "open");
  const sort = columnSorts(accountList, path, params);
  return (
    <Table
      label="Accounts"
      head={
        <>
          <Th sort={sort("disconnected")}>State</Th>
          <Th sort={sort("name")}>Account</Th>
          <Th from="xl">ID</Th>
          {!isOfOneApplication && <Th from="md">Application</Th>}
          <Th align="right" from="lg">
            Profiles
          </Th>
          <Th align="right" from="lg">
            Calendars
          </Th>
          <Th align="right" from="md">
            Failed writes
          </Th>
          <Th align="right" sort={sort("newest", "oldest")}>
            Created
          </Th>
        </>
      }
    >
      {rows.map((row) => {
        const { tone, word } = accountState(row);
        return (
          <Row
            key={row.id}
            href={address(path, params, { open: row.id })}
            name={`account ${row.id}`}
            isOpen={row.id === open}
            first={<State tone={tone}>{word}</State>}
          >
            <Cells row={row} now={now} isOfOneApplication={isOfOneApplication} />
          </Row>
        );
      })}
    </Table>
  );
}

interface CellsProps {
  row: AccountRow;
  now: number;
  isOfOneApplication: boolean;
}

function Cells({ row, now, isOfOneApplication }: CellsProps) {
  return (
    <>
      <Td className="w-full max-w-0 truncate normal-nums" title={accountName(row)}>
        {accountName(row)}
        {!isOfOneApplication && (
          <span className="block truncate text-12 text-faint from-md:hidden">{row.applicationName}</span>
        )}
        {row.refusedCount > 0 && (
          <span className="block truncate text-12 text-red from-md:hidden">
            {counted(row.refusedCount, "rejected write")}
          </span>
        )}
      </Td>
      <Td from="xl">
        <Id id={row.id} isInRow />
      </Td>
      {!isOfOneApplication && (
        <Td from="md" className="max-w-40 truncate normal-nums">
          {row.applicationName}
        </Td>
      )}
      <Td align="right" from="lg">
        <Count count={row.profileCount} />
      </Td>
      <Td align="right" from="lg">
        <Count count={row.calendarCount} />
      </Td>
      <Td align="right" from="md" className={classes(row.refusedCount > 0 ? "text-red" : "text-faint")}>
        <Count count={row.refusedCount} />
      </Td>
      <Td align="right" className="text-faint">
        <Time at={row.createdAt} now={now} />
      </Td>
    </>
  );
}
