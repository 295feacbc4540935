import { receiverOf } from "@/components/docs/generated/responses";
import { code } from "@/components/docs/guide";
import type { SampleText } from "@/components/docs/sample";
import { table } from "@/components/docs/written/parts";
import { type NotificationType, notificationTypes } from "@/server/domain/channels/notification-types";
import { WAITS_MS } from "@/server/domain/channels/schedule";
import { shortDuration } from "@/server/domain/time/duration-words";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** What a notification says besides its type. */
const said: Record<NotificationType, string> = {
  verification: "",
  change: "`changes_since`; with `payload` `changes` also `changes` and `more`",
  profile_disconnected: "",
  profile_initial_sync_completed: "",
  trigger: "`trigger_id`, `event_uid`, `late`; no `channel`",
  write_refused: "`calendar_id`, `event_uid`, `event_id`, `reason`",
};

/** Says when each notification is sent, and what it says. */
export function notificationTable(): string {
  const rows = Object.entries(notificationTypes).map(([type, sentWhen]) => [
    `\`${type}\``,
    sentWhen,
    said[type as NotificationType],
  ]);
  return table({ head: ["Type", "Sent when", "What it says"], rows });
}

/** Says which attempt comes after which wait, a column each. */
export function retryTable(): string {
  const waits = ["none", ...WAITS_MS.map(shortDuration)];
  return table({ head: ["Attempt", ...waits.map((_, index) => String(index + 1))], rows: [["Wait", ...waits]] });
}

/** Shows the document's own example of a notification. */
export function changeSample(document: OpenApiDocument): SampleText {
  return code("json", "A change", [JSON.stringify(change(document), null, 2)]);
}

/** Shows that notification as the quickstart's receiver prints it. */
export function receiverOutput(document: OpenApiDocument): SampleText {
  return code("text", "The receiver's output", [
    `verified ${JSON.stringify(change(document)).replaceAll("https://app.acme.io", receiverOf(document))}`,
  ]);
}

function change({ webhooks }: OpenApiDocument): unknown {
  return webhooks.notification?.post?.requestBody?.content["application/json"]?.examples?.change?.value;
}
