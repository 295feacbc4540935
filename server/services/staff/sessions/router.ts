import { staffRouter } from "@/server/services/staff/procedure/trpc";
import { changePassword } from "@/server/services/staff/sessions/change-password";
import { endStaffSession } from "@/server/services/staff/sessions/end";
import { listSessions } from "@/server/services/staff/sessions/list";
import { showMe } from "@/server/services/staff/sessions/me";

/** Whoever is signed in, and from where. */
export const sessionRouter = staffRouter({
  me: showMe,
  list: listSessions,
  end: endStaffSession,
  changePassword,
});
