/** An application of the demo. Every domain ends in .example, which nobody can own (RFC 2606). */
export interface CastApplication {
  key: "northwind" | "lumen" | "harbor" | "quill";
  name: string;
  plan: "developer" | "standard";
  site: string;
  accent: string | null;
  /** The name of a file in this directory. */
  logo: string | null;
  /** A CalDAV server that the application offers to its users. */
  caldav: { name: string; url: string; help: string } | null;
  /** Days since its registration. */
  age: number;
}

export const castApplications: readonly CastApplication[] = [
  {
    ...{ key: "northwind", name: "Northwind Booking", plan: "standard", site: "northwind-booking.example" },
    ...{ accent: "#0f766e", logo: "northwind.png", age: 212 },
    caldav: {
      name: "Harrow Clinics",
      url: "https://calendar.harrow-clinics.example/dav/",
      help: "Use the password that you received from the clinic's IT.",
    },
  },
  {
    ...{ key: "lumen", name: "Lumen CRM", plan: "standard", site: "lumen-crm.example" },
    ...{ accent: "#5b4bdb", logo: "lumen.png", caldav: null, age: 148 },
  },
  {
    ...{ key: "harbor", name: "Harbor Rooms", plan: "standard", site: "harbor-rooms.example" },
    ...{ accent: "#b45309", logo: "harbor.png", caldav: null, age: 1 },
  },
  {
    ...{ key: "quill", name: "Quill Recruiting (pilot)", plan: "developer", site: "quill-recruiting.example" },
    ...{ accent: null, logo: null, caldav: null, age: 34 },
  },
];

export type ApplicationKey = CastApplication["key"];

/** Staff and developers. None has a password, so nobody can sign in as them. */
export const castOperators = [
  { name: "Ines Okafor", email: "ines@almanac-support.example", role: "support", of: [], seenHoursAgo: 2 },
  { name: "Jonas Lindqvist", email: "jonas@almanac-support.example", role: "support", of: [], seenHoursAgo: 27 },
  {
    name: "Priya Raman",
    email: "priya@northwind-booking.example",
    role: "developer",
    of: ["northwind"],
    seenHoursAgo: 1,
  },
  {
    name: "Tomás Herrera",
    email: "tomas@northwind-booking.example",
    role: "developer",
    of: ["northwind"],
    seenHoursAgo: 70,
  },
  { name: "Mei Tanaka", email: "mei@lumen-crm.example", role: "developer", of: ["lumen", "harbor"], seenHoursAgo: 5 },
] as const;

export const castInvitation = { email: "sofia@harbor-rooms.example", of: "harbor", daysAgo: 0.3 } as const;
