/** What a notification of a change says: that something did, or also what. */
export const payloads = ["thin", "changes"] as const;

/** Whether the headers of Standard Webhooks come beside ours. */
export const signatures = ["default", "standard_webhooks"] as const;
export type Signature = (typeof signatures)[number];

/** The most changes of a notification, and the most bytes of their JSON: the rest is read from the feed. */
export const MOST_CHANGES_SENT = 100;
export const MOST_BYTES_SENT = 64 * 1024;
