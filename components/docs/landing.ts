/** A reason to come to the documentation, and where to begin. */
export interface Door<Place = string> {
  id: "build" | "run" | "operate";
  name: string;
  about: string;
  places: Place[];
}

const doors: readonly Door[] = [
  {
    id: "build",
    name: "Build",
    about: "Connect your users' calendars to your product.",
    places: ["/docs/quickstart", "/docs/concepts", "/docs/webhooks", "/docs/sandbox", "/docs/reference"],
  },
  {
    id: "run",
    name: "Run",
    about: "Install Almanac, and set up the providers that your users have.",
    places: ["/docs/install", "/docs/configuration", "/docs/google", "/docs/microsoft", "/docs/caldav"],
  },
  {
    id: "operate",
    name: "Operate",
    about: "See what happened, get alerted when something breaks, and upgrade without downtime.",
    places: ["/docs/dashboard", "/docs/alerts", "/docs/runbook", "/docs/backups", "/docs/upgrades", "/docs/changelog"],
  },
];

export const LANDING = {
  name: "Overview",
  path: "/docs",
  title: "Almanac documentation",
} as const;

/** Returns the ways in, with those of their places that exist. */
export function openDoors<Place extends { path: string }>(places: readonly Place[]): Door<Place>[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  return doors.map((door) => ({ ...door, places: door.places.flatMap((path) => byPath.get(path) ?? []) }));
}
