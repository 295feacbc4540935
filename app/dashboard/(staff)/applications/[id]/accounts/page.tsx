import { accounts } from "@/app/dashboard/(staff)/accounts/listing";
import { accountOf } from "@/app/dashboard/(staff)/accounts/open-account";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import type { Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";

export const generateMetadata = titled("Accounts", accountOf);

export default async function ApplicationAccounts({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { id } = await params;
  return (
    <StaffList of={accounts} params={await searchParams} application={{ id, path: applicationPath(id, "accounts") }} />
  );
}
