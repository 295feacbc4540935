import { ACCOUNTS } from "@/components/dashboard/accounts/filters";
import { APPLICATIONS } from "@/components/dashboard/applications/words";
import { ENDPOINTS } from "@/components/dashboard/endpoints/filters";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";

const words = {
  account: { title: "Account not found", all: "Show all accounts", href: ACCOUNTS },
  application: { title: "Application not found", all: "Show all applications", href: APPLICATIONS },
  endpoint: { title: "Endpoint not found", all: "Show all endpoints", href: ENDPOINTS },
};
const ids = {
  account: "Account IDs start with acc_ or apc_.",
  application: "Application IDs start with app_.",
  endpoint: "An endpoint has the ID of its channel, which starts with chn_.",
};

export type ThingWithPage = keyof typeof words;

/** In place of the page of a thing that does not exist. */
export function MissingThing({ thing, fault }: { thing: ThingWithPage; fault?: string }) {
  const { title, all, href } = words[thing];
  return (
    <EmptyState isPage title={title} action={<LinkButton href={href}>{all}</LinkButton>}>
      {fault} {ids[thing]}
    </EmptyState>
  );
}
