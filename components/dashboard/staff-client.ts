import { createTRPCClient, httpLink } from "@trpc/client";
import type { StaffApi } from "@/server/services/staff/api";

/** A header beyond the safelist proves that no form and no other site sent this. */
const headers = { "x-trpc-source": "dashboard" };

/** The staff's procedures for actions in the browser. Pages read on the server. */
export const staffClient = createTRPCClient<StaffApi>({ links: [httpLink({ url: "/api/trpc", headers })] });
