import type { Role } from "@/server/services/staff/procedure/staff-context";

export const roleWords: Record<Role, string> = { admin: "Admin", support: "Support", developer: "Developer" };
