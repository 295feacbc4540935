import { endpoints } from "@/app/dashboard/(staff)/endpoints/listing";
import type { ListParams } from "@/app/dashboard/(staff)/listed";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";

export const metadata = { title: "Endpoints" };

export default async function Endpoints({ searchParams }: ListParams) {
  return <StaffList of={endpoints} params={await searchParams} />;
}
