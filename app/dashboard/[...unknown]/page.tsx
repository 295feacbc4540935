import { notFound } from "next/navigation";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Page not found" };

export default async function Unknown() {
  await staffPage();
  notFound();
}
