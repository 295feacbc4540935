import { redirect } from "next/navigation";

/** A short address to hand on; the panel has its own in the list's. */
export default async function Account({ params }: { params: Promise<{ id: string }> }) {
  redirect(`/dashboard/accounts?${new URLSearchParams({ open: (await params).id })}`);
}
