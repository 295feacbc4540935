import { beforeEach, describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { changeDelivery, failDelivery } from "../../fakes/stored-deliveries";
import { applicationId } from "../grants";
import { ownReceiver } from "../own-receiver";
import { newApplication, type Opened, openCalendar } from "../service";
import { deliveriesOf, openChannel, work } from "../webhooks/world";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

const HOUR = 3_600_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let staff: Operator;

beforeEach(async () => {
  clock = fakeClock();
  staff = await newOperator();
});

/** A channel whose verification was attempted once and answered with the status. */
async function attempted(status: number, opened?: Opened) {
  receiver.answer(status);
  const owner = opened ?? (await openCalendar());
  const { channel_id: channelId } = await openChannel(owner, receiver.url("/hook"));
  await work();
  const [delivery] = await deliveriesOf(channelId);
  if (!delivery) throw new Error("there is no delivery");
  return { owner, channelId, id: delivery.id };
}

describe("an attempt that ended", () => {
  it("is seen by whoever waits for it, with what it came to, and is no viewing", async () => {
    const { id } = await attempted(500);
    const progress = () => staff.api.deliveries.progress({ id });
    const first = { number: 1, status: 500, errorClass: null, durationMs: expect.any(Number) };
    expect(await progress()).toEqual({ state: "pending", waiting: false, last: first });
    await staff.api.deliveries.retry({ id });
    expect(await progress()).toEqual({ state: "pending", waiting: true, last: first });
    await work();
    expect(await progress()).toMatchObject({ state: "pending", waiting: false, last: { number: 2, status: 500 } });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["delivery.retried"]);
    expect(await refusal(staff.api.deliveries.progress({ id: "whd_none" }))).toEqual({ kind: "not_found" });
  });

  it("is seen by the pulse of a list that shows the delivery, even if all that it changed is the attempt", async () => {
    const { id, channelId } = await attempted(500);
    await failDelivery(id);
    const pulse = () => staff.api.deliveries.pulse({ channel: channelId });
    const before = await pulse();
    expect(await pulse()).toEqual(before);
    await staff.api.deliveries.retry({ id });
    await work();
    const { page, ...rest } = await pulse();
    expect({ ...rest, page: before.page }).toEqual(before);
    expect(page).not.toBe(before.page);
  });

  it("is seen by the pulse of a list beside which the delivery is open, whatever the list shows", async () => {
    const { id } = await attempted(500);
    const pulse = () => staff.api.deliveries.pulse({ state: ["cancelled"], open: id });
    const before = await pulse();
    await staff.api.deliveries.retry({ id });
    await work();
    const after = await pulse();
    expect(after.open).not.toBe(before.open);
    expect({ ...after, open: null }).toEqual({ ...before, open: null });
  });
});

describe("the chart of deliveries", () => {
  it("counts by the hour of creation what became of them, and by class why others were not delivered", async () => {
    const application = await newApplication();
    const { id } = await attempted(500, await openCalendar(application));
    const owner = await applicationId(application);
    clock.advance(2 * HOUR);
    await attempted(200, await openCalendar(application));
    await failDelivery(id, { lastStatus: 503, attempts: 2 });
    staff = await newOperator(); // who looks now
    const chart = await staff.api.deliveries.chart({ application: owner, hours: 3 });
    const none = { delivered: 0, failed: 0, cancelled: 0, queued: 0, retrying: 0, retried: 0 };
    expect(chart?.bars.map(({ at: _, ...counts }) => counts)).toEqual([
      { ...none, failed: 1, retried: 1 },
      none,
      { ...none, delivered: 1 },
    ]);
    expect(chart?.bars.at(-1)?.at).toBe(`${new Date(clock.now()).toISOString().slice(0, 13)}:00:00.000Z`);
    expect(chart?.errors).toEqual([{ errorClass: "5xx", count: 1 }]);
    expect((await staff.api.deliveries.chart({ application: owner }))?.bars).toHaveLength(24);
  });

  it("counts exactly what the list of the same filters has", async () => {
    const application = await newApplication();
    const opened = await openCalendar(application);
    const failing = await attempted(503, opened);
    const queued = await attempted(500, opened);
    await changeDelivery(queued.id, { lastStatus: null, attempts: 0 });
    await attempted(200, opened);
    const owner = await applicationId(application);
    const ago = (hours: number) => new Date(clock.now() - hours * HOUR).toISOString();
    const { host } = new URL(receiver.origin);
    const cases: object[] = [
      ...[
        {},
        { host },
        { host: "nowhere.acme.io" },
        { id: failing.id },
        { q: `${host}/hook` },
        { q: failing.channelId },
      ],
      ...[["failed"], ["queued"], ["retrying"], ["pending"], ["delivered"], ["delivered", "retrying"]].map((state) => ({
        state,
      })),
      ...[{ statusClass: ["5xx"] }, { statusClass: ["2xx"] }, { errorClass: ["dns"] }, { type: ["change"] }],
      ...[
        { type: ["verification"], state: ["retrying"] },
        { account: opened.accountId },
        { account: "nobody@acme.io" },
      ],
      ...[{ from: ago(1) }, { from: ago(50), to: ago(49) }, { from: ago(100) }],
    ];
    for (const filters of cases) {
      const chart = await staff.api.deliveries.chart({ ...filters, application: owner });
      const drawn = (chart?.bars ?? []).reduce(
        (sum, { at: _, retried: __, ...kinds }) => sum + Object.values(kinds).reduce((a, b) => a + b, 0),
        0,
      );
      const { count } = await staff.api.deliveries.count({ ...filters, application: owner });
      expect([filters, drawn]).toEqual([filters, count]);
    }
  });

  it("has a bar for five minutes of a short time, and is not drawn for more than a week or without a beginning", async () => {
    const ago = (hours: number) => new Date(clock.now() - hours * HOUR).toISOString();
    const chart = staff.api.deliveries.chart;
    expect(await chart({ from: ago(1) })).toMatchObject({ minutes: 5 });
    expect((await chart({ from: ago(1) }))?.bars.length).toBeGreaterThanOrEqual(12);
    expect(await chart({ from: ago(30) })).toMatchObject({ minutes: 60 });
    expect(await chart({ from: ago(169) })).toBeNull();
    expect(await chart({ to: ago(1) })).toBeNull();
    expect((await chart({ from: ago(1), to: ago(2) }))?.bars).toEqual([]);
  });
});
