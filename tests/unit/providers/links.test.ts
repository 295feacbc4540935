import { describe, expect, it } from "vitest";
import { contentOf as contentOfGoogle } from "@/server/providers/google/read-content";
import { URL_PROPERTY } from "@/server/providers/microsoft/properties";
import { contentOf as contentOfMicrosoft } from "@/server/providers/microsoft/read-content";
import { calendar, lines, read, vevent, written } from "./icalendar/given-state";

const SCRIPT = "JavaScript:alert(1)";
const LINK = "https://acme.io/1";

/** What each provider's reader makes of a link that another client has put there. */
const readers = {
  google: (link: string) => contentOfGoogle({ id: "1", source: { title: "x", url: link } }).url,
  "google's own field of ours": (link: string) =>
    contentOfGoogle({ id: "1", extendedProperties: { private: { almanac_url: link } } }).url,
  microsoft: (value: string) =>
    contentOfMicrosoft({ id: "1", singleValueExtendedProperties: [{ id: URL_PROPERTY, value }] }).url,
  caldav: (link: string) => read(calendar(vevent("DTSTART:20261123T090000Z", `URL:${link}`))).url,
};

const meetings = {
  google: (link: string) => {
    const entryPoints = [{ entryPointType: "video", uri: link }];
    return contentOfGoogle({ id: "1", conferenceData: { entryPoints } }).conferencing;
  },
  "google's hangout": (link: string) => contentOfGoogle({ id: "1", hangoutLink: link }).conferencing,
  microsoft: (link: string) => contentOfMicrosoft({ id: "1", onlineMeetingUrl: link }).conferencing,
  caldav: (link: string) => read(calendar(vevent("DTSTART:20261123T090000Z", `CONFERENCE:${link}`))).conferencing,
};

describe("a link of another client", () => {
  it.each(Object.entries(readers))("is read where it is one, and left out where it is a script: %s", (_, readUrl) => {
    expect([readUrl(LINK), readUrl(SCRIPT)]).toEqual([LINK, null]);
  });

  it.each(Object.entries(meetings))("to a meeting is read or left out likewise: %s", (_, readMeeting) => {
    expect([readMeeting(LINK), readMeeting(SCRIPT)]).toEqual([{ provider: "other", join_url: LINK }, null]);
  });

  it("stays in the calendar where the application changes something else", () => {
    const existing = calendar(vevent("DTSTART:20261123T090000Z", "SUMMARY:Before", `URL:${SCRIPT}`));
    const after = lines(written({ ...read(existing), summary: "After" }, { existing }));
    expect(after).toEqual(expect.arrayContaining(["SUMMARY:After", `URL:${SCRIPT}`]));
  });
});
