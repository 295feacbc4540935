import { batchExamples, deleteEventsExamples } from "@/server/http/openapi/examples/batch";
import { bookingExamples } from "@/server/http/openapi/examples/bookings";
import { beginningExamples, changesExamples, firstChangesExamples } from "@/server/http/openapi/examples/changes";
import { connectExamples, importExamples } from "@/server/http/openapi/examples/connect";
import { eventExamples } from "@/server/http/openapi/examples/events";
import type { Example } from "@/server/http/openapi/examples/example";
import { feedExamples } from "@/server/http/openapi/examples/feeds";
import { namedEventExamples, othersEventExamples } from "@/server/http/openapi/examples/named-events";
import { organizationExamples } from "@/server/http/openapi/examples/organizations";
import { readExamples } from "@/server/http/openapi/examples/reads";
import { refusedSandboxExamples, sandboxExamples } from "@/server/http/openapi/examples/sandbox";
import { schedulingExamples } from "@/server/http/openapi/examples/scheduling";
import { subscriptionExamples } from "@/server/http/openapi/examples/subscriptions";

/** Every example of the document, in the order in which tests/api/openapi/examples.test.ts sends them. */
export const scenario: readonly Example[] = [
  ...connectExamples,
  ...firstChangesExamples,
  ...eventExamples,
  ...beginningExamples,
  ...schedulingExamples,
  ...bookingExamples,
  ...refusedSandboxExamples,
  ...readExamples,
  ...feedExamples,
  ...namedEventExamples,
  ...batchExamples,
  ...sandboxExamples,
  ...othersEventExamples,
  ...changesExamples,
  ...importExamples,
  ...organizationExamples,
  ...subscriptionExamples,
  ...deleteEventsExamples,
];
