/** What a reader reports of a resource that it could not read, in words for staff. */
const sentences: Readonly<Record<string, string>> = {
  "an empty resource": "It’s empty.",
  "an event without a start": "It has no start.",
  "not a calendar object": "It isn’t a calendar object.",
  "larger than 1 MiB": "It’s larger than 1 MiB, attachments not counted.",
  too_long: "It’s larger than 32 MiB.",
  unreadable: "Almanac couldn’t read it.",
};

/** Returns why an event was skipped, as a sentence. */
export function skipReason(reason: string): string {
  const sentence = sentences[reason];
  if (sentence !== undefined) return sentence;
  const [, status] = /^http_(\d{3})$/.exec(reason) ?? [];
  if (status !== undefined) return `The server responded ${status} to a request for it.`;
  if (reason.startsWith("more than ")) return `The resource has ${reason.replace(" in one resource", "")}.`;
  return `Almanac couldn’t store it: ${reason}.`;
}
