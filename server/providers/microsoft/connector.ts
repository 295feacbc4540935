import { providerTraits } from "@/server/domain/providers";
import { egressFetch, endedBy } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { atOrigin } from "@/server/providers/at-origin";
import type { Connector, Mailbox, MailboxAccess, OAuthSignIn } from "@/server/providers/connector";
import { graphApi } from "@/server/providers/microsoft/api";
import { busyTime } from "@/server/providers/microsoft/busy-time";
import { listCalendars } from "@/server/providers/microsoft/calendars";
import { changes } from "@/server/providers/microsoft/changes";
import { microsoftEndpoints } from "@/server/providers/microsoft/endpoints";
import { eventName } from "@/server/providers/microsoft/event-name";
import { microsoftOrganization } from "@/server/providers/microsoft/organization";
import { eventNow } from "@/server/providers/microsoft/read-pages";
import { microsoftSignIn } from "@/server/providers/microsoft/sign-in";
import { microsoftWatching, readMicrosoftHook } from "@/server/providers/microsoft/watching";
import { microsoftWriting } from "@/server/providers/microsoft/write";
import { meetingLink } from "@/server/providers/microsoft/write-meeting";
import { unwritable } from "@/server/providers/microsoft/write-recurrence";
import { organizationMailbox } from "@/server/providers/organization";
import { signInOf } from "@/server/providers/own-clients";
import { countedFetch } from "@/server/providers/request-counts";

export interface MicrosoftOptions {
  clientId: string;
  clientSecret: string;
  /** Accounts of organizations sign in to one of them, personal accounts to the other. */
  provider: "microsoft" | "outlook";
  /** An origin in the place of Microsoft's hosts, which is trusted. Null: Microsoft's own. */
  origin: string | null;
  outside?: Outside;
  /** Milliseconds for one request. */
  deadlineMs?: number;
}

const DEADLINE_MS = 30_000;
const MOST_BYTES = 1024 * 1024;

/** Connects calendars of Microsoft accounts by Graph 1.0 (ADRs 34 to 36). */
export function microsoftConnector({
  clientId,
  clientSecret,
  provider,
  origin,
  outside,
  deadlineMs = DEADLINE_MS,
}: MicrosoftOptions): Connector & { signIn: OAuthSignIn } {
  const trustedOrigins = origin === null ? [] : [origin];
  const fetch = atOrigin(egressFetch({ trustedOrigins, deadlineMs, mostBytes: MOST_BYTES }, outside), origin);
  const signInFetch = countedFetch(fetch, provider, () => "sign_in");
  const tenant = provider === "outlook" ? "consumers" : "organizations";
  const endpoints = microsoftEndpoints(origin, tenant);
  const open = (access: MailboxAccess): Mailbox => {
    const user = organizationMailbox(access.credential)?.user;
    const api = graphApi(endedBy(fetch, access.signal), endpoints.graph, { ...access, provider, user });
    return {
      calendars: (syncToken) => listCalendars(api, syncToken),
      changes: (from) => changes(api, from),
      event: (event) => eventNow(api, event),
      busyTime: (asked) => busyTime(api, asked),
      ...microsoftWriting(api),
      meetingLink: (event) => meetingLink(api, event),
      watch: microsoftWatching(api),
    };
  };
  return {
    traits: providerTraits[provider],
    signIn: signInOf({ clientId, clientSecret }, (client) =>
      microsoftSignIn({ ...client, tenant, endpoints, fetch: signInFetch }),
    ),
    open,
    nameOf: eventName,
    unwritable,
    readHook: readMicrosoftHook,
    ...(provider === "microsoft" && {
      organization: microsoftOrganization({ origin, graph: endpoints.graph, fetch, signInFetch }),
    }),
  };
}
