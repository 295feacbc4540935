import { createInvitation } from "@/server/services/staff/invitations/create";
import { listInvitations } from "@/server/services/staff/invitations/list";
import { revokeInvitation } from "@/server/services/staff/invitations/revoke";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** Links by which people become developers, for admins. Accepting one is part of signing in. */
export const invitationsRouter = staffRouter({
  list: listInvitations,
  create: createInvitation,
  revoke: revokeInvitation,
});
