import { ACCOUNTS } from "@/components/dashboard/accounts/filters";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";

/** In place of a page of an account that does not exist, or of a time that is none. */
export function MissingAccount({ fault }: { fault: string | undefined }) {
  return (
    <EmptyState isPage title="Account not found" action={<LinkButton href={ACCOUNTS}>Show all accounts</LinkButton>}>
      {fault} Account IDs start with acc_ or apc_.
    </EmptyState>
  );
}
