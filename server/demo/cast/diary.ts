import type { ApplicationKey } from "@/server/demo/cast/applications";

type Entries = readonly [Entry, ...Entry[]];

/** A calendar entry: its summary, its length in minutes, its location, and which of the guests it invites. */
export interface Entry {
  summary: string;
  minutes: number;
  location?: string;
  hasGuests?: true;
}

/** Typical calendar entries, by occupation. */
export const diaries: Record<Exclude<ApplicationKey, "harbor">, Entries> = {
  northwind: [
    { summary: "New patient: first visit", minutes: 45, location: "Treatment room 2" },
    { summary: "Check-up", minutes: 30, location: "Treatment room 1" },
    { summary: "Follow-up", minutes: 20 },
    { summary: "Consultation", minutes: 60, hasGuests: true },
    { summary: "Supplier visit", minutes: 45, location: "Reception" },
    { summary: "Phone call with the insurance", minutes: 20 },
    { summary: "Staff training", minutes: 90, location: "Meeting room", hasGuests: true },
    { summary: "Pick up the kids", minutes: 40 },
    { summary: "Lunch with Alex", minutes: 60, location: "The Corner Table" },
  ],
  lumen: [
    { summary: "Discovery call: Alder & Co", minutes: 30, hasGuests: true },
    { summary: "Demo for Bluefin Media", minutes: 45, hasGuests: true },
    { summary: "Contract review", minutes: 60, hasGuests: true },
    { summary: "Quarterly planning", minutes: 120, location: "Boardroom", hasGuests: true },
    { summary: "Forecast", minutes: 30 },
    { summary: "Interview: account executive", minutes: 45, hasGuests: true },
    { summary: "Focus time", minutes: 120 },
    { summary: "Flight to Oslo", minutes: 130, location: "Gate B12" },
    { summary: "Dentist", minutes: 45 },
  ],
  quill: [
    { summary: "Interview: backend engineer", minutes: 60, hasGuests: true },
    { summary: "Screening call", minutes: 30 },
    { summary: "Debrief", minutes: 30, hasGuests: true },
  ],
};

/**
 * Recurring entries: summary, minutes, first weekday (0 is Monday), start (minutes after midnight), and an RRULE
 * without an end.
 */
export const routines = [
  { summary: "Morning huddle", minutes: 15, weekday: 0, at: 525, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" },
  { summary: "Team meeting", minutes: 60, weekday: 0, at: 600, rrule: "FREQ=WEEKLY" },
  { summary: "1:1", minutes: 30, weekday: 2, at: 840, rrule: "FREQ=WEEKLY;INTERVAL=2" },
  { summary: "Lunch break", minutes: 60, weekday: 0, at: 750, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" },
  { summary: "Week in review", minutes: 45, weekday: 4, at: 960, rrule: "FREQ=WEEKLY" },
] as const;

/** The rooms of Harbor Rooms: application calendars, each with the receiver that its webhooks go to. */
export const rooms = [
  { id: "room-atlas", receiver: "displays" },
  { id: "room-borealis", receiver: "displays" },
  { id: "room-cedar", receiver: "displays" },
  { id: "room-fern", receiver: "signage" },
  { id: "room-granite", receiver: "lobby" },
  { id: "room-heron", receiver: "retired" },
] as const;

/** Bookings that the application makes in each room. */
export const bookings = [
  { summary: "Design review", minutes: 60 },
  { summary: "Hiring panel", minutes: 45 },
  { summary: "Customer workshop", minutes: 120 },
] as const;

/** People who are invited to meetings in a room. */
export const invited = ["mei@harbor-rooms.example", "jo@harbor-rooms.example", "kim@harbor-rooms.example"] as const;
