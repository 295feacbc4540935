import type { NamedEvent } from "./generated/openapi.js";

/** An event as it was read, with the tag of this version. */
export interface TaggedEvent {
  event: NamedEvent;
  /** Pass it as `ifMatch`, so that your change does not overwrite what you have not seen. */
  etag: string;
}

export function taggedEvent(json: unknown, headers: Headers): TaggedEvent {
  return { event: json as NamedEvent, etag: headers.get("etag") ?? "" };
}
