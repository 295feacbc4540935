import type { LocalTime } from "@/server/domain/time/rfc3339";
import type { ReplyToWrite } from "@/server/providers/writing";

/** `provider_writes.replies`: the user's replies by the original day of an occurrence, and under "" to the whole event. */
export type StoredReplies = Readonly<Record<string, StoredReply>>;

export interface StoredReply {
  status: ReplyToWrite["status"];
  comment: string | null;
  /** The original start of the occurrence on the series' clock. Null: the reply is to the whole event. */
  recurrenceId: LocalTime | null;
}

/** Lists stored replies as providers take them, that to the whole event first. */
export function repliesToWrite(replies: StoredReplies | null): ReplyToWrite[] {
  return Object.entries(replies ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, reply]) => reply);
}
