import { exportOf } from "@/app/dashboard/(staff)/export-list";
import type { StaffCaller } from "@/server/services/staff/api";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

type Input = Parameters<StaffCaller["deliveries"]["list"]>[0];

export const GET = exportOf({ list: deliveryList, page: (api, input: Input) => api.deliveries.list(input) });
