import { expect, it } from "vitest";
import type { Provider } from "@/server/domain/providers";
import { providerSlots, type WorkItem } from "@/server/sync/provider-slots";
import { fakeClock } from "../../fakes/clock";

const providers: Provider[] = ["google", "microsoft", "icloud"];

function placesOf(made: ReturnType<typeof providerSlots>) {
  return Object.fromEntries(made.free(providers).map(({ provider, most }) => [provider, most]));
}

const item = (provider: Provider, more: Partial<WorkItem> = {}): WorkItem => ({
  ...{ provider, applicationId: "app_1", wasSlow: false },
  ...more,
});

function fill(made: ReturnType<typeof providerSlots>, provider: Provider, count: number) {
  return Array.from({ length: count }, () => made.begin(item(provider)));
}

it("one provider gets half of the places at most, however quick it is", () => {
  fakeClock();
  const made = providerSlots(20);
  made.begin(item("google"))(true);
  fill(made, "google", 10);
  expect(placesOf(made)).toMatchObject({ microsoft: expect.any(Number) });
  expect(placesOf(made)).not.toHaveProperty("google");
});

it("providers that are slow, down or unknown share half of the places, and a quick one has the others", () => {
  const clock = fakeClock();
  const made = providerSlots(20);
  made.begin(item("icloud"))(true);
  fill(made, "google", 6);
  fill(made, "microsoft", 4);
  clock.advance(6_000);
  expect(placesOf(made)).toEqual({ icloud: 10 });
});

it("a provider that was not asked yet has places although slow ones hold theirs", () => {
  fakeClock();
  const made = providerSlots(20);
  fill(made, "google", 10);
  expect(placesOf(made)).toEqual({ microsoft: 2, icloud: 2 });
});

it("a provider that becomes slow while it is asked counts as slow, and as quick again once it answers soon", () => {
  const clock = fakeClock();
  const made = providerSlots(20);
  made.begin(item("google"))(true);
  const ends = fill(made, "google", 9);
  expect(placesOf(made)).toMatchObject({ google: 1, microsoft: 10 });
  clock.advance(6_000);
  expect(placesOf(made)).toMatchObject({ microsoft: 2 });
  for (const end of ends) end(false);
  made.begin(item("google"))(true);
  expect(placesOf(made)).toMatchObject({ google: 10, microsoft: 10 });
});

it("a single place is given, to one provider after the other", () => {
  fakeClock();
  const made = providerSlots(1);
  expect(placesOf(made)).toEqual({ google: 1, microsoft: 1, icloud: 1 });
  const end = made.begin(item("google"));
  expect(placesOf(made)).toEqual({});
  end(true);
  expect(placesOf(made)).toEqual({ google: 1, microsoft: 1, icloud: 1 });
});
