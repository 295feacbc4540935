import { accountsRouter } from "@/server/services/staff/accounts/router";
import { alertsRouter } from "@/server/services/staff/alerts/router";
import { applicationsRouter } from "@/server/services/staff/applications/router";
import { auditRouter } from "@/server/services/staff/audit-trail/list";
import { channelsRouter } from "@/server/services/staff/channels/router";
import { deliveriesRouter } from "@/server/services/staff/deliveries/router";
import { endpointsRouter } from "@/server/services/staff/endpoints/router";
import { invitationsRouter } from "@/server/services/staff/invitations/router";
import { membersRouter } from "@/server/services/staff/members/router";
import { operatorsRouter } from "@/server/services/staff/operators/router";
import { overviewRouter } from "@/server/services/staff/overview/router";
import { createStaffCaller, staffRouter } from "@/server/services/staff/procedure/trpc";
import { requestsRouter } from "@/server/services/staff/requests/router";
import { searchRouter } from "@/server/services/staff/search/router";
import { sessionRouter } from "@/server/services/staff/sessions/router";

/** Everything the dashboard reads and does, one procedure each; each checks the role itself. */
export const staffApi = staffRouter({
  operators: operatorsRouter,
  invitations: invitationsRouter,
  members: membersRouter,
  session: sessionRouter,
  audit: auditRouter,
  overview: overviewRouter,
  applications: applicationsRouter,
  accounts: accountsRouter,
  requests: requestsRouter,
  deliveries: deliveriesRouter,
  channels: channelsRouter,
  endpoints: endpointsRouter,
  alerts: alertsRouter,
  search: searchRouter,
});

export const staffCaller = createStaffCaller(staffApi);
export type StaffApi = typeof staffApi;
export type StaffCaller = ReturnType<typeof staffCaller>;
