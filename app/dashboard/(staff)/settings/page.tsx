import { redirect } from "next/navigation";
import { PROFILE, TEAM } from "@/components/dashboard/settings/links";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Settings" };

export default async function Settings() {
  const { operator } = await staffPage();
  redirect(operator.role === "admin" ? TEAM : PROFILE);
}
