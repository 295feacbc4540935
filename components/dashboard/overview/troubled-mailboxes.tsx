import { mailboxReason } from "@/components/dashboard/accounts/words";
import { Count, formatCount } from "@/components/ui/number";
import { State, type Tone } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { accountList } from "@/server/services/staff/lists/accounts";
import type { Overview, TroubledMailboxes as Troubled } from "@/server/services/staff/overview/shapes";

const stateWords: Record<Troubled["state"], { tone: Tone; word: string }> = {
  disconnected: { tone: "bad", word: "Disconnected" },
  failing: { tone: "wait", word: "Delayed" },
  late: { tone: "wait", word: "Late" },
};

/** Lists the profiles that are not read as they should be, by application. A row links to their accounts. */
export function TroubledMailboxes({ mailboxes, now }: { mailboxes: Overview["mailboxes"]; now: number }) {
  const { items, groups, disconnected, failing, late } = mailboxes;
  const count = disconnected + failing + late;
  return (
    <section aria-labelledby="mailboxes" className="border-t pt-3 has-[>div:last-child]:-mb-px">
      <h2 id="mailboxes" className="px-6 pb-1 text-13 font-medium max-sm:px-4">
        Disconnected or failing profiles{" "}
        {count > 0 && (
          <span className="font-normal text-faint">
            <Count count={count} more={items.some(({ more }) => more)} />
          </span>
        )}
      </h2>
      {count === 0 ? (
        <p className="px-6 pb-3 text-13 text-faint max-sm:px-4">
          <State tone="off">None</State>
        </p>
      ) : (
        <MailboxTable items={items} now={now} />
      )}
      {groups > items.length && (
        <p className="px-6 py-2 text-12 text-faint max-sm:px-4">
          {items.length} of {formatCount(groups)} groups.
        </p>
      )}
    </section>
  );
}

function MailboxTable({ items, now }: { items: readonly Troubled[]; now: number }) {
  return (
    <Table
      label="Disconnected or failing profiles"
      head={
        <>
          <Th>State</Th>
          <Th align="right">Accounts</Th>
          <Th align="right" from="sm">
            Profiles
          </Th>
          <Th from="sm">Application</Th>
          <Th from="md">Reason</Th>
          <Th align="right">Since</Th>
        </>
      }
    >
      {items.map((item) => (
        <Row
          key={`${item.applicationId} ${item.state}`}
          href={accountsOf(item)}
          name={`view accounts of ${item.applicationName}`}
          first={<First item={item} />}
        >
          <Td align="right">
            <Count count={item.accounts} more={item.more} />
          </Td>
          <Td align="right" from="sm">
            <Count count={item.mailboxes} more={item.more} />
          </Td>
          <Td from="sm" className="max-w-40 truncate">
            {item.applicationName}
          </Td>
          <Td from="md" className="w-full max-w-0 truncate" title={reasonsOf(item).join("\n")}>
            {reasonsOf(item).join(" ")}
          </Td>
          <Td align="right" className="text-faint">
            {item.since ? <Time at={item.since} now={now} /> : "unknown"}
          </Td>
        </Row>
      ))}
    </Table>
  );
}

function First({ item }: { item: Troubled }) {
  const { tone, word } = stateWords[item.state];
  return (
    <span className="block until-md:py-1.5">
      <State tone={tone}>{word}</State>
      <span className="block text-12 whitespace-normal text-faint from-md:hidden">
        <span className="from-sm:hidden">{item.applicationName}: </span>
        {reasonsOf(item)[0]}
      </span>
    </span>
  );
}

/** Lists the reasons, with their counts if there are several. */
function reasonsOf({ state, reasons }: Troubled): string[] {
  return reasons.map(({ error, count, ...provider }) => {
    const reason = mailboxReason(state, provider, error);
    return reasons.length > 1 ? `${formatCount(count)}: ${reason}` : reason;
  });
}

/** Links to as many accounts as the row counts. A single one is open. */
function accountsOf({ state, applicationId, accountId }: Troubled): string {
  const narrowed: Record<string, string> = state === "disconnected" ? { disconnected: "true" } : { sync: state };
  const open: Record<string, string> = accountId === null ? {} : { open: accountId };
  return `${accountList.path}?${new URLSearchParams({ application: applicationId, ...narrowed, ...open })}`;
}
