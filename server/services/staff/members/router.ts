import { addMember, removeMember } from "@/server/services/staff/members/change";
import { listMembers } from "@/server/services/staff/members/list";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** Which developers see an application. */
export const membersRouter = staffRouter({ list: listMembers, add: addMember, remove: removeMember });
