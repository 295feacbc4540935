import { opensIn } from "@/server/http/staff/short-address";

export const { GET } = opensIn("/dashboard/settings/team");
