import { APPLICATIONS } from "@/components/dashboard/applications/words";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";
import { accountList } from "@/server/services/staff/lists/accounts";
import { endpointList } from "@/server/services/staff/lists/endpoints";

const words = {
  account: { title: "Account not found", all: "Show all accounts", href: accountList.path },
  application: { title: "Application not found", all: "Show all applications", href: APPLICATIONS },
  event: { title: "Event not found", all: "Show all accounts", href: accountList.path },
  endpoint: { title: "Endpoint not found", all: "Show all endpoints", href: endpointList.path },
};
const ids = {
  account: "Account IDs start with acc_ or apc_.",
  application: "Application IDs start with app_.",
  event: "An event_uid starts with evt_. Search by the application’s event_id with ⌘K.",
  endpoint: "An endpoint has the ID of its channel, which starts with chn_.",
};

export type ThingWithPage = keyof typeof words;

/** Shows that a thing does not exist, in place of its page. */
export function MissingThing({ thing, fault }: { thing: ThingWithPage; fault?: string }) {
  const { title, all, href } = words[thing];
  return (
    <EmptyState isPage title={title} action={<LinkButton href={href}>{all}</LinkButton>}>
      {fault} {ids[thing]}
    </EmptyState>
  );
}
