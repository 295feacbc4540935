import { expect, it } from "vitest";
import type { CalendarProvider } from "@/server/domain/calendars/guest-rules";
import { lanes, type WorkItem } from "@/server/sync/lanes";
import { fakeClock } from "../../fakes/clock";

const providers: CalendarProvider[] = ["prov_a", "prov_b", "prov_d"];

function placesOf(made: ReturnType<typeof lanes>) {
  return Object.fromEntries(made.room(providers).map(({ provider, most }) => [provider, most]));
}

const item = (provider: CalendarProvider, more: Partial<WorkItem> = {}): WorkItem => ({
  ...{ provider, applicationId: "app_1", wasSlow: false },
  ...more,
});

function fill(made: ReturnType<typeof lanes>, provider: CalendarProvider, count: number) {
  return Array.from({ length: count }, () => made.begin(item(provider)));
}

it("one provider gets half of the places at most, however quick it is", () => {
  fakeClock();
  const made = lanes(20);
  made.begin(item("prov_a"))(true);
  fill(made, "prov_a", 10);
  expect(placesOf(made)).toMatchObject({ prov_b: expect.any(Number) });
  expect(placesOf(made)).not.toHaveProperty("prov_a");
});

it("providers that are slow, down or unknown share half of the places, and a quick one has the others", () => {
  const clock = fakeClock();
  const made = lanes(20);
  made.begin(item("prov_d"))(true);
  fill(made, "prov_a", 6);
  fill(made, "prov_b", 4);
  clock.advance(6_000);
  expect(placesOf(made)).toEqual({ prov_d: 10 });
});

it("a provider that was not asked yet has places although slow ones hold theirs", () => {
  fakeClock();
  const made = lanes(20);
  fill(made, "prov_a", 10);
  expect(placesOf(made)).toEqual({ prov_b: 2, prov_d: 2 });
});

it("a provider that becomes slow while it is asked counts as slow, and as quick again once it answers soon", () => {
  const clock = fakeClock();
  const made = lanes(20);
  made.begin(item("prov_a"))(true);
  const ends = fill(made, "prov_a", 9);
  expect(placesOf(made)).toMatchObject({ prov_a: 1, prov_b: 10 });
  clock.advance(6_000);
  expect(placesOf(made)).toMatchObject({ prov_b: 2 });
  for (const end of ends) end(false);
  made.begin(item("prov_a"))(true);
  expect(placesOf(made)).toMatchObject({ prov_a: 10, prov_b: 10 });
});
