import { endFeed, retryWrite, revoke, syncNow } from "@/server/services/staff/accounts/actions";
import { readDay, showTexts } from "@/server/services/staff/accounts/calendars/day";
import { readAccountCalendars } from "@/server/services/staff/accounts/calendars/read";
import { getAccount } from "@/server/services/staff/accounts/get";
import { headAccount } from "@/server/services/staff/accounts/head";
import { countAccounts, listAccounts } from "@/server/services/staff/accounts/list";
import { listNotes } from "@/server/services/staff/accounts/notes/list";
import { addNote, deleteNote } from "@/server/services/staff/accounts/notes/write";
import { readTimeline } from "@/server/services/staff/accounts/timeline/read";
import { alertsRouter } from "@/server/services/staff/alerts/router";
import { readBranding, removeLogo, setBranding, setLogo } from "@/server/services/staff/applications/branding";
import { addCaldavServer, removeCaldavServer } from "@/server/services/staff/applications/caldav-servers";
import { headApplication } from "@/server/services/staff/applications/head";
import { removeOauthClient, setOauthClient } from "@/server/services/staff/applications/oauth-clients";
import { getApplication, listApplications, nameApplications } from "@/server/services/staff/applications/read";
import { addSecret, retireSecret } from "@/server/services/staff/applications/secrets";
import { deleteApplication, disableApplication, enableApplication } from "@/server/services/staff/applications/states";
import {
  addRedirectUri,
  createApplication,
  removeRedirectUri,
  updateApplication,
} from "@/server/services/staff/applications/write";
import { auditRouter } from "@/server/services/staff/audit-trail/list";
import { closeChannel, pauseChannel, resumeChannel } from "@/server/services/staff/channels/control";
import { channelHealth } from "@/server/services/staff/channels/health";
import { listChannels } from "@/server/services/staff/channels/list";
import { testChannel } from "@/server/services/staff/channels/test";
import { explainAbsence } from "@/server/services/staff/deliveries/absence";
import { accountTrouble } from "@/server/services/staff/deliveries/account-trouble";
import { cancelDelivery } from "@/server/services/staff/deliveries/cancel";
import { chartDeliveries } from "@/server/services/staff/deliveries/chart";
import { getDelivery } from "@/server/services/staff/deliveries/get";
import { countDeliveries, listDeliveries } from "@/server/services/staff/deliveries/list";
import { deliveryProgress } from "@/server/services/staff/deliveries/progress";
import { deliveryPulse } from "@/server/services/staff/deliveries/pulse";
import { cancelReplay } from "@/server/services/staff/deliveries/replays/cancel";
import { getReplay, listReplays } from "@/server/services/staff/deliveries/replays/list";
import { previewReplay } from "@/server/services/staff/deliveries/replays/preview";
import { startReplay } from "@/server/services/staff/deliveries/replays/start";
import { retryDelivery } from "@/server/services/staff/deliveries/retry";
import { getEndpoint } from "@/server/services/staff/endpoints/get";
import { countEndpoints, listEndpoints } from "@/server/services/staff/endpoints/list";
import { getEvent } from "@/server/services/staff/events/get";
import { showEventTexts } from "@/server/services/staff/events/show-texts";
import { createInvitation } from "@/server/services/staff/invitations/create";
import { listInvitations } from "@/server/services/staff/invitations/list";
import { revokeInvitation } from "@/server/services/staff/invitations/revoke";
import { maintenanceRouter } from "@/server/services/staff/maintenance/switches";
import { addMember, removeMember } from "@/server/services/staff/members/change";
import { listMembers } from "@/server/services/staff/members/list";
import { disableOperator, enableOperator, setOperatorRole } from "@/server/services/staff/operators/change";
import { createOperator } from "@/server/services/staff/operators/create";
import { listOperators } from "@/server/services/staff/operators/list";
import { resetOperatorPassword } from "@/server/services/staff/operators/reset-password";
import { resetSecondFactor } from "@/server/services/staff/operators/reset-second-factor";
import { organizations } from "@/server/services/staff/organizations/router";
import { showOverview } from "@/server/services/staff/overview/show";
import { createStaffCaller, staffRouter } from "@/server/services/staff/procedure/trpc";
import { showProviders } from "@/server/services/staff/providers/show";
import { requestErrors } from "@/server/services/staff/requests/errors";
import { getRequest } from "@/server/services/staff/requests/get";
import { countOfRequests, listRequests, requestsPulse } from "@/server/services/staff/requests/list";
import { requestsNotStored } from "@/server/services/staff/requests/not-stored";
import { requestTraffic } from "@/server/services/staff/requests/traffic/show";
import { findApplications, findObjects } from "@/server/services/staff/search/find";
import {
  confirmSecondFactor,
  removeSecondFactor,
  startSecondFactor,
} from "@/server/services/staff/second-factor/set-up";
import { changePassword } from "@/server/services/staff/sessions/change-password";
import { endOtherSessions, endStaffSession } from "@/server/services/staff/sessions/end";
import { listSessions } from "@/server/services/staff/sessions/list";
import { showMe } from "@/server/services/staff/sessions/me";
import { createView, deleteView, updateView } from "@/server/services/staff/views/change";
import { listViews } from "@/server/services/staff/views/list";

/** The dashboard's queries and actions, one procedure each; each checks the role itself. */
export const staffApi = staffRouter({
  operators: {
    list: listOperators,
    create: createOperator,
    setRole: setOperatorRole,
    disable: disableOperator,
    enable: enableOperator,
    resetPassword: resetOperatorPassword,
    resetSecondFactor,
  },
  invitations: {
    list: listInvitations,
    create: createInvitation,
    revoke: revokeInvitation,
  },
  members: { list: listMembers, add: addMember, remove: removeMember },
  session: {
    me: showMe,
    list: listSessions,
    end: endStaffSession,
    endOthers: endOtherSessions,
    changePassword,
    startSecondFactor,
    confirmSecondFactor,
    removeSecondFactor,
  },
  audit: auditRouter,
  overview: { show: showOverview },
  providers: { show: showProviders },
  maintenance: maintenanceRouter,
  applications: {
    names: nameApplications,
    list: listApplications,
    get: getApplication,
    head: headApplication,
    create: createApplication,
    update: updateApplication,
    addRedirectUri,
    removeRedirectUri,
    addCaldavServer,
    removeCaldavServer,
    setOauthClient,
    removeOauthClient,
    addSecret,
    retireSecret,
    branding: readBranding,
    setBranding,
    setLogo,
    removeLogo,
    disable: disableApplication,
    enable: enableApplication,
    delete: deleteApplication,
  },
  accounts: {
    list: listAccounts,
    count: countAccounts,
    get: getAccount,
    head: headAccount,
    timeline: readTimeline,
    calendars: readAccountCalendars,
    day: readDay,
    showTexts,
    retryWrite,
    syncNow,
    endFeed,
    revoke,
    notes: { list: listNotes, add: addNote, delete: deleteNote },
  },
  events: { get: getEvent, showTexts: showEventTexts },
  requests: {
    list: listRequests,
    count: countOfRequests,
    get: getRequest,
    errors: requestErrors,
    pulse: requestsPulse,
    notStored: requestsNotStored,
    traffic: requestTraffic,
  },
  deliveries: {
    list: listDeliveries,
    count: countDeliveries,
    get: getDelivery,
    chart: chartDeliveries,
    pulse: deliveryPulse,
    progress: deliveryProgress,
    absence: explainAbsence,
    trouble: accountTrouble,
    retry: retryDelivery,
    cancel: cancelDelivery,
    replays: { preview: previewReplay, start: startReplay, list: listReplays, get: getReplay, cancel: cancelReplay },
  },
  channels: {
    list: listChannels,
    health: channelHealth,
    test: testChannel,
    pause: pauseChannel,
    resume: resumeChannel,
    close: closeChannel,
  },
  endpoints: {
    list: listEndpoints,
    count: countEndpoints,
    get: getEndpoint,
  },
  alerts: alertsRouter,
  organizations,
  search: { find: findObjects, applications: findApplications },
  views: { list: listViews, create: createView, update: updateView, delete: deleteView },
});

export const staffCaller = createStaffCaller(staffApi);
export type StaffApi = typeof staffApi;
export type StaffCaller = ReturnType<typeof staffCaller>;
