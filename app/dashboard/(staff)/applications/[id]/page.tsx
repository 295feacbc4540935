import { redirect } from "next/navigation";

/** A short address to hand on; the panel has its own in the list's. */
export default async function Application({ params }: { params: Promise<{ id: string }> }) {
  redirect(`/dashboard/applications?${new URLSearchParams({ open: (await params).id })}`);
}
