import { deliveries } from "@/app/dashboard/(staff)/deliveries/listing";
import { deliveryOf } from "@/app/dashboard/(staff)/deliveries/open-delivery";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";
import { type Params, valuesOf } from "@/components/dashboard/address/address";

export const generateMetadata = listed("Deliveries", deliveryOf);

/** Keeps bookmarked addresses working: the search was named `id`, and pending was one state. */
function renamed({ id, ...params }: Params): Params {
  const states = valuesOf(params, "state").flatMap((state) => (state === "pending" ? ["queued", "retrying"] : [state]));
  return {
    ...params,
    ...(states.length > 0 && { state: [...new Set(states)] }),
    ...(id !== undefined && params.q === undefined && { q: id }),
  };
}

export default async function Deliveries({ searchParams }: ListParams) {
  return <StaffList of={deliveries} params={renamed(await searchParams)} />;
}
