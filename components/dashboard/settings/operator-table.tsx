import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { roleWords } from "@/components/dashboard/role-words";
import { TEAM } from "@/components/dashboard/settings/links";
import { State } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { OperatorRow } from "@/server/services/staff/operators/list";

interface OperatorTableProps {
  rows: readonly OperatorRow[];
  params: Params;
  now: number;
}

/** Lists the operators, those who can sign in first. */
export function OperatorTable({ rows, params, now }: OperatorTableProps) {
  const open = firstOf(params, "open");
  return (
    <Table
      label="Operators"
      head={
        <>
          <Th>Name</Th>
          <Th from="sm">Email</Th>
          <Th>Role</Th>
          <Th from="lg">Applications</Th>
          <Th>State</Th>
          <Th align="right" from="md">
            Sessions
          </Th>
          <Th align="right" from="sm">
            Last seen
          </Th>
        </>
      }
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          href={address(TEAM, params, { open: row.id })}
          name={`operator ${row.email}`}
          isOpen={row.id === open}
          first={
            <>
              <span className="block max-w-56 truncate until-sm:max-w-40">{row.name || row.email}</span>
              <span className="block max-w-40 truncate text-12 text-faint from-sm:hidden">{row.email}</span>
            </>
          }
        >
          <Td from="sm" className="max-w-72 truncate" title={row.email}>
            {row.email}
          </Td>
          <Td>{roleWords[row.role]}</Td>
          <Td from="lg" className="max-w-56 truncate text-faint" title={applicationsOf(row)}>
            {applicationsOf(row)}
          </Td>
          <Td>
            <State tone={row.disabledAt ? "off" : "good"}>{row.disabledAt ? "Disabled" : "Active"}</State>
          </Td>
          <Td align="right" from="md">
            {row.openSessions}
          </Td>
          <Td align="right" from="sm" className="text-faint">
            {row.lastSeenAt ? <Time at={row.lastSeenAt} now={now} /> : "Never"}
          </Td>
        </Row>
      ))}
    </Table>
  );
}

function applicationsOf({ role, applications }: OperatorRow): string {
  if (role !== "developer") return "All";
  return applications.map(({ name }) => name).join(", ") || "None";
}
