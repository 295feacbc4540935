import { exportOf } from "@/app/dashboard/(staff)/export-list";
import type { StaffCaller } from "@/server/services/staff/api";
import { auditList } from "@/server/services/staff/lists/audit";

type Input = Parameters<StaffCaller["audit"]["list"]>[0];

export const GET = exportOf({ list: auditList, page: (api, input: Input) => api.audit.list(input) });
