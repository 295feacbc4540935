import type { OnlineMeetingProviderType } from "@microsoft/microsoft-graph-types";
import { appended } from "./bodies";
import { guidOf } from "./ids";
import type { CalendarRecord, Meeting, StoredEvent, World } from "./state";

/** The online meeting that a write asks for; null if the calendar allows none [K]: it is not refused. */
export function wantedMeeting(
  world: World,
  calendar: CalendarRecord,
  asked: { isOnlineMeeting?: unknown; onlineMeetingProvider?: unknown },
): Meeting | null {
  if (asked.isOnlineMeeting !== true) return null;
  const given = asked.onlineMeetingProvider as OnlineMeetingProviderType | undefined;
  const provider = given && given !== "unknown" ? given : calendar.defaultProvider;
  if (!calendar.providers.includes(provider)) return null;
  const { pendingReads } = world.knobs.meetings;
  return { provider, info: infoOf(calendar, provider, world.version()), pendingReads, isOn: true };
}

function infoOf({ owner }: CalendarRecord, provider: OnlineMeetingProviderType, serial: number): Meeting["info"] {
  const thread = Buffer.from(guidOf(`meeting ${serial}`)).toString("base64url");
  const context = encodeURIComponent(JSON.stringify({ Tid: owner.tid, Oid: owner.oid })).replace(/%../g, (code) =>
    code.toLowerCase(),
  );
  const teams = `https://teams.microsoft.com/l/meetup-join/19%3ameeting_${thread}%40thread.v2/0?context=${context}`;
  const joinUrl = provider === "teamsForBusiness" ? teams : `https://join.skype.com/${thread.slice(0, 12)}`;
  return { joinUrl, conferenceId: String(200_000_000 + serial), tollNumber: "+1 323-555-0166" };
}

/** The blob that a meeting appends to the body: sample of "Create or set an event as an online meeting". */
export function blobOf({ info }: Meeting): string {
  const rule = `<div style="width:100%; height:20px"><span style="white-space:nowrap; color:gray; opacity:.36">${"_".repeat(80)}</span>\r\n</div>\r\n`;
  return `${rule}<div class="me-email-text" style="color:#252424; font-family:'Segoe UI','Helvetica Neue',Helvetica,Arial,sans-serif">\r
<div style="margin-top:24px; margin-bottom:10px"><a class="me-email-headline" href="${info.joinUrl}" target="_blank" rel="noreferrer noopener" style="font-size:18px; text-decoration:underline; color:#6264a7">Join\r
 Microsoft Teams Meeting</a> </div>\r
<div style="margin-top:10px; margin-bottom:20px"><span style="font-size:12px">Conference ID:\r
</span><span style="font-size:14px">${info.conferenceId}# </span></div>\r
<div style="margin-bottom:24px"><a class="me-email-link" target="_blank" href="https://aka.ms/JoinTeamsMeeting" style="font-size:12px; color:#6264a7">Learn more about Teams</a> | <a class="me-email-link" target="_blank" href="https://teams.microsoft.com/meetingOptions/?language=en-US" style="font-size:12px; color:#6264a7">Meeting options</a> </div>\r
</div>\r
${rule}`;
}

const isThere = ({ pendingReads }: Meeting) => pendingReads === 0;

/** Puts the blob into the body of an event whose link is there. */
export function writeBlob(event: StoredEvent): void {
  const { meeting } = event;
  if (!meeting?.isOn || !isThere(meeting) || holdsBlob(event)) return;
  event.content = { ...event.content, html: appended(event.content.html, blobOf(meeting)) };
}

const holdsBlob = ({ content, meeting }: StoredEvent) => content.html.includes(meeting?.info.joinUrl ?? "");

/** Counts a read of the event; true when the link came by it. */
export function readOnce(event: StoredEvent): boolean {
  const { meeting } = event;
  if (!meeting || meeting.pendingReads === null || meeting.pendingReads === 0) return false;
  meeting.pendingReads -= 1;
  return isThere(meeting);
}

/**
 * What a write of the body does to the meeting of an event. "Update event": "Inadvertently removing the meeting blob from the body would
 * disable meeting online"; [R microsoft-graph-docs#16336, #10618, contrib#4624]: the next write brings the link back, alternately.
 */
export function afterBody(event: StoredEvent, asked: { isOnlineMeeting?: unknown }, wroteBody: boolean): void {
  const { meeting } = event;
  if (!meeting || !isThere(meeting)) return;
  if (meeting.isOn) meeting.isOn = !wroteBody || holdsBlob(event);
  else if (wroteBody || asked.isOnlineMeeting === true) meeting.isOn = true;
  writeBlob(event);
}
