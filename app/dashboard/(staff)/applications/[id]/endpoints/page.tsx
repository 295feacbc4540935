import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { endpoints } from "@/app/dashboard/(staff)/endpoints/listing";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import type { Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";

export const generateMetadata = titled("Endpoints");

export default async function ApplicationEndpoints({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { id } = await params;
  return (
    <StaffList
      of={endpoints}
      params={await searchParams}
      application={{ id, path: applicationPath(id, "endpoints") }}
    />
  );
}
