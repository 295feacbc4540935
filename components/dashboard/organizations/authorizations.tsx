import { timelinePath } from "@/components/dashboard/address/paths";
import { errorWord } from "@/components/dashboard/deliveries/words";
import { outcomeWords } from "@/components/dashboard/organizations/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { State } from "@/components/ui/state";
import { Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { StaffAuthorization } from "@/server/services/staff/organizations/shapes";

interface AuthorizationsProps {
  authorizations: readonly StaffAuthorization[];
  now: number;
}

/** Lists the mailboxes that an application asked for: what came of each, and whether its callback URL knows. */
export function Authorizations({ authorizations, now }: AuthorizationsProps) {
  if (authorizations.length === 0) {
    return (
      <p className="text-13 text-faint">
        None in the last 30 days. The application authorizes mailboxes with POST /v1/service_account_authorizations.
      </p>
    );
  }
  const head = (
    <>
      <Th>Mailbox</Th>
      <Th>Result</Th>
      <Th from="sm">Callback</Th>
      <Th from="lg">Callback URL</Th>
      <Th align="right">Requested</Th>
    </>
  );
  return (
    <div className="-mx-6 max-sm:-mx-4">
      <Table label="Authorizations" head={head}>
        {authorizations.map((one) => (
          <tr key={one.id} className="h-8 border-b">
            <Td className="max-w-56 truncate until-sm:max-w-36" title={one.email}>
              {one.accountId === null ? (
                one.email
              ) : (
                <DetailLink href={timelinePath(one.accountId)}>{one.email}</DetailLink>
              )}
            </Td>
            <Td>
              <Result authorization={one} />
              <span className="block py-1 text-12 from-sm:hidden">
                <Told authorization={one} now={now} />
              </span>
            </Td>
            <Td from="sm">
              <Told authorization={one} now={now} />
            </Td>
            <Td from="lg" className="w-full max-w-0 truncate font-mono text-12" title={one.callbackUrl}>
              {one.callbackUrl}
            </Td>
            <Td align="right">
              <Time at={one.createdAt} now={now} />
            </Td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function Result({ authorization: { outcome, attempts } }: { authorization: StaffAuthorization }) {
  if (outcome === null) return <State tone="wait">{attempts > 1 ? "Retrying" : "Opening"}</State>;
  return <State tone={outcome === "authorized" ? "good" : "bad"}>{outcomeWords[outcome]}</State>;
}

function Told({ authorization, now }: { authorization: StaffAuthorization; now: number }) {
  const { outcome, toldAt, dueAt, attempts, lastStatus, lastError } = authorization;
  if (toldAt !== null) return <State tone="good">Accepted</State>;
  if (outcome === null) return <span className="text-faint">Not yet</span>;
  const reason =
    lastStatus === null ? (lastError === null ? "no response yet" : errorWord(lastError)) : `HTTP ${lastStatus}`;
  if (dueAt === null) return <State tone="bad">Gave up: {reason}</State>;
  return (
    <State tone="wait">
      <span>
        Attempt {attempts} of 10: {reason}
        <span className="until-sm:hidden">
          , next <Time at={dueAt} now={now} />
        </span>
      </span>
    </State>
  );
}
