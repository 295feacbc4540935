import { accounts } from "@/app/dashboard/(staff)/accounts/listing";
import { accountOf } from "@/app/dashboard/(staff)/accounts/open-account";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";

export const generateMetadata = listed("Accounts", accountOf);

export default async function Accounts({ searchParams }: ListParams) {
  return <StaffList of={accounts} params={await searchParams} />;
}
