import { type AccountParams, titled } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { requests } from "@/app/dashboard/(staff)/requests/listing";
import { requestOf } from "@/app/dashboard/(staff)/requests/open-request";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import type { Params } from "@/components/dashboard/address/address";
import { accountPath } from "@/components/dashboard/address/paths";

export const generateMetadata = titled("Requests", requestOf);

export default async function AccountRequests({
  params,
  searchParams,
}: AccountParams & { searchParams: Promise<Params> }) {
  const { id } = await params;
  return <StaffList of={requests} params={await searchParams} account={{ id, path: accountPath(id, "requests") }} />;
}
