import { exportOf } from "@/app/dashboard/(staff)/export-list";
import type { StaffCaller } from "@/server/services/staff/api";
import { requestList } from "@/server/services/staff/lists/requests";

type Input = Parameters<StaffCaller["requests"]["list"]>[0];

export const GET = exportOf({ list: requestList, page: (api, input: Input) => api.requests.list(input) });
