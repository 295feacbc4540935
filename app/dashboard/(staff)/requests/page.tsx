import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { requests } from "@/app/dashboard/(staff)/requests/listing";
import { requestOf } from "@/app/dashboard/(staff)/requests/open-request";
import { StaffList } from "@/app/dashboard/(staff)/staff-list";

export const generateMetadata = listed("Requests", requestOf);

export default async function Requests({ searchParams }: ListParams) {
  return <StaffList of={requests} params={await searchParams} />;
}
