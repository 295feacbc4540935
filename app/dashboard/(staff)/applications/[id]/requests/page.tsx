import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { requests } from "@/app/dashboard/(staff)/requests/listing";
import { requestOf } from "@/app/dashboard/(staff)/requests/open-request";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import type { Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";

export const generateMetadata = titled("Requests", requestOf);

export default async function ApplicationRequests({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { id } = await params;
  return (
    <StaffList of={requests} params={await searchParams} application={{ id, path: applicationPath(id, "requests") }} />
  );
}
