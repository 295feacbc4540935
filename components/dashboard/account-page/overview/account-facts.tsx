import { Fact, Facts } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { FullTime } from "@/components/ui/time";
import type { AccountHead } from "@/server/services/staff/accounts/shapes";

/** Shows what an account is, as far as the head of the page doesn't say it. */
export function AccountFacts({ account, now }: { account: AccountHead; now: number }) {
  return (
    <Facts>
      <Fact name="ID">
        <Id id={account.id} isWhole />
      </Fact>
      {account.name && <Fact name="Name">{account.name}</Fact>}
      {account.email && <Fact name="Email">{account.email}</Fact>}
      <Fact name="Time zone">{account.defaultTzid}</Fact>
      <Fact name="Created">
        <FullTime at={account.createdAt} now={now} />
      </Fact>
      {account.revokedAt && (
        <Fact name="Revoked">
          <FullTime at={account.revokedAt} now={now} />
        </Fact>
      )}
    </Facts>
  );
}
