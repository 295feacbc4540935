import { type AccountParams, titled } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { deliveries } from "@/app/dashboard/(staff)/deliveries/listing";
import { deliveryOf } from "@/app/dashboard/(staff)/deliveries/open-delivery";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import type { Params } from "@/components/dashboard/address/address";
import { accountPath } from "@/components/dashboard/address/paths";

export const generateMetadata = titled("Deliveries", deliveryOf);

export default async function AccountDeliveries({
  params,
  searchParams,
}: AccountParams & { searchParams: Promise<Params> }) {
  const { id } = await params;
  return (
    <StaffList of={deliveries} params={await searchParams} account={{ id, path: accountPath(id, "deliveries") }} />
  );
}
