import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { missingThing } from "@/app/dashboard/(staff)/missing";
import { StaffShell } from "@/app/dashboard/(staff)/staff-shell";

export default async function StaffLayout({ children }: { children: ReactNode }) {
  if ((await missingThing()) !== null) notFound();
  return <StaffShell>{children}</StaffShell>;
}
