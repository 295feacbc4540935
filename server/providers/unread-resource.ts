/** Something in a calendar that could not be read. */
export interface UnreadResource {
  externalId: string;
  /** Never quotes it. */
  reason: string;
  /** Its etag: in this version nothing else can be read of it. Omitted or null: it may be read next time. */
  version?: string | null;
  /** False: it is no event, such as a task. Omitted: it is one, or may be. */
  isEvent?: boolean;
}
