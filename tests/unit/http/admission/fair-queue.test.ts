import { describe, expect, it } from "vitest";
import { type Client, fairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueLimits, QueueSlot } from "@/server/http/admission/queue";
import { Refusal } from "@/server/services/refusal";

const limits: QueueLimits = {
  atOnce: 3,
  perApplication: 2,
  perAccount: 2,
  waitingPerAccount: 4,
  waitingPerApplication: 6,
  waiting: 8,
  patience: 1_000,
  longestHold: 10_000,
};

const read = (applicationId: string, accountId = "one"): Applicant => ({ applicationId, accountId, writes: false });
const write = (applicationId: string, accountId = "one"): Applicant => ({ applicationId, accountId, writes: true });

/** A queue on a clock of its own, and who has been let in, in order. */
function scene(given: Partial<QueueLimits> = {}) {
  let now = 0;
  const waits: number[] = [];
  const timers = new Set<{ at: number; work: () => void }>();
  const timing = {
    monotonic: () => now,
    after(milliseconds: number, work: () => void) {
      const timer = { at: now + milliseconds, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const overdue: string[] = [];
  const queue = fairQueue({ ...limits, ...given }, timing, {
    waited: (milliseconds) => waits.push(milliseconds),
    overdue: ({ applicationId }) => overdue.push(applicationId),
  });
  const admitted: string[] = [];
  const refused: string[] = [];
  const slots = new Map<string, QueueSlot>();
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    admitted,
    refused,
    overdue,
    waits,
    waiting: queue.waiting,
    longestHold: queue.longestHold,
    async ask(name: string, applicant: Applicant, client?: Client) {
      queue.enter(applicant, client).then(
        (slot) => {
          admitted.push(name);
          slots.set(name, slot);
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(Refusal);
          const kind = client?.signal.aborted ? "client_left" : "overloaded";
          expect((error as Refusal).reason).toMatchObject({ kind, ...(!client && { retryAfter: expect.any(Number) }) });
          refused.push(name);
        },
      );
      await settled();
    },
    async leave(name: string, rows = 0, bytes = 0) {
      slots.get(name)?.used({ rows, bytes });
      slots.get(name)?.leave();
      await settled();
    },
    async pass(milliseconds: number) {
      now += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.work();
      }
      await settled();
    },
  };
}

describe("what waits", () => {
  it("is counted, with how long each waited, also who got no slot", async () => {
    const { ask, leave, pass, waits, waiting, refused } = scene({ atOnce: 1 });
    await ask("first", read("a"));
    await ask("second", read("b"));
    await ask("third", read("c"));
    expect(waiting()).toBe(2);
    await pass(300);
    await leave("first");
    expect(waiting()).toBe(1);
    await pass(700);
    expect(refused).toEqual(["third"]);
    expect(waiting()).toBe(0);
    expect(waits).toEqual([0, 300, 1_000]);
  });
});

describe("slots at the database", () => {
  it("are so many in all, for one application and for one account", async () => {
    const { ask, admitted } = scene({ perAccount: 1 });
    await ask("a1", read("a"));
    await ask("a1 again", read("a"));
    await ask("a2", read("a", "two"));
    await ask("a3", read("a", "three"));
    await ask("b", read("b"));
    await ask("c", read("c"));
    expect(admitted).toEqual(["a1", "a2", "b"]);
  });

  it("go to the applications in turn, however much one of them asks", async () => {
    const { ask, leave, admitted } = scene({ atOnce: 1 });
    for (const name of ["a1", "a2", "a3", "a4"]) await ask(name, read("a"));
    await ask("b1", read("b"));
    await ask("c1", read("c"));
    for (const name of ["a1", "a2", "b1", "c1", "a3"]) await leave(name);
    expect(admitted).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
  });

  it("go to the accounts of an application in turn", async () => {
    const { ask, leave, admitted } = scene({ atOnce: 1 });
    for (const name of ["1a", "1b", "1c"]) await ask(name, read("a", "one"));
    await ask("2a", read("a", "two"));
    for (const name of ["1a", "1b", "2a"]) await leave(name);
    expect(admitted).toEqual(["1a", "1b", "2a", "1c"]);
  });

  it("let an account write one thing at a time, and read in the meantime", async () => {
    const { ask, leave, admitted } = scene();
    await ask("write", write("a"));
    await ask("second write", write("a"));
    await ask("read", read("a"));
    expect(admitted).toEqual(["write", "read"]);
    await leave("write");
    expect(admitted).toEqual(["write", "read", "second write"]);
  });

  it("by client credentials are limited by the application alone", async () => {
    const { ask, admitted, refused } = scene({ perAccount: 1, waitingPerAccount: 1 });
    const own = { applicationId: "a", accountId: null, writes: true };
    for (const name of ["1", "2", "3", "4"]) await ask(name, own);
    expect([admitted, refused]).toEqual([["1", "2"], []]);
  });

  it("count a slot that is left twice once", async () => {
    const { ask, leave, admitted } = scene({ atOnce: 1 });
    await ask("a", read("a"));
    await ask("b", read("b"));
    await ask("c", read("c"));
    await leave("a");
    await leave("a");
    expect(admitted).toEqual(["a", "b"]);
  });
});

describe("a slot that is held for too long", () => {
  it("is given to the next, and leaving it later changes nothing", async () => {
    const { ask, leave, pass, admitted, overdue } = scene({ atOnce: 1, patience: 60_000 });
    await ask("a", write("a"));
    await ask("a again", write("a"));
    await ask("b", read("b"));
    await pass(9_999);
    expect([admitted, overdue]).toEqual([["a"], []]);
    await pass(1);
    expect([admitted, overdue]).toEqual([["a", "a again"], ["a"]]);
    await leave("a");
    expect(admitted).toEqual(["a", "a again"]);
    await leave("a again");
    expect(admitted).toEqual(["a", "a again", "b"]);
  });

  it("is taken from each at its own time, and the longest hold is the oldest's", async () => {
    const { ask, leave, pass, longestHold, overdue } = scene({ patience: 60_000 });
    expect(longestHold()).toBe(0);
    await ask("a", read("a"));
    await pass(4_000);
    await ask("b", read("b"));
    await ask("c", read("c"));
    await pass(2_000);
    expect(longestHold()).toBe(6_000);
    await pass(4_000);
    expect([overdue, longestHold()]).toEqual([["a"], 6_000]);
    await leave("b");
    await pass(4_000);
    expect([overdue, longestHold()]).toEqual([["a", "c"], 0]);
    await ask("d", read("d"));
    await pass(10_000);
    expect(overdue).toEqual(["a", "c", "d"]);
  });
});

describe("waiting", () => {
  it("ends as soon as the client has left, and makes room for others", async () => {
    const { ask, leave, admitted, refused } = scene({ atOnce: 1, waitingPerAccount: 1 });
    const [gone, left] = [new AbortController(), new AbortController()];
    gone.abort();
    await ask("a", read("a"));
    await ask("gone before", read("b"), gone);
    await ask("leaves", read("b"), left);
    left.abort();
    await ask("stays", read("b"), new AbortController());
    expect(refused).toEqual(["gone before", "leaves"]);
    await leave("a");
    expect(admitted).toEqual(["a", "stays"]);
  });

  it("is refused where an account, an application or all have as many waiting as may", async () => {
    const { ask, refused } = scene({ atOnce: 1 });
    await ask("running", read("z"));
    for (let i = 0; i < 5; i++) await ask(`one ${i}`, read("a", "one"));
    expect(refused).toEqual(["one 4"]);
    for (let i = 0; i < 3; i++) await ask(`two ${i}`, read("a", "two"));
    expect(refused).toEqual(["one 4", "two 2"]);
    for (let i = 0; i < 3; i++) await ask(`b ${i}`, read("b"));
    expect(refused).toEqual(["one 4", "two 2", "b 2"]);
  });

  it("ends in a refusal when it takes too long, and whoever gave up is not let in later", async () => {
    const { ask, leave, pass, admitted, refused } = scene({ atOnce: 1 });
    await ask("a", read("a"));
    await ask("b", read("b"));
    await pass(999);
    expect(refused).toEqual([]);
    await ask("c", read("c"));
    await pass(1);
    expect(refused).toEqual(["b"]);
    await leave("a");
    expect(admitted).toEqual(["a", "c"]);
    await pass(10_000);
    expect(refused).toEqual(["b"]);
  });
});

describe("writing in bulk", () => {
  const bulky = 1_200;

  it("is one at a time over all applications that do, and rests for as long as it took; others pass by", async () => {
    const { ask, leave, pass, admitted } = scene();
    for (const name of ["a", "b"]) {
      await ask(name, write(name));
      await leave(name, bulky);
    }
    await ask("a1", write("a"));
    await ask("b1", write("b"));
    await ask("c1", write("c"));
    expect(admitted.slice(2)).toEqual(["a1", "c1"]);
    await pass(40);
    await leave("a1", 231);
    expect(admitted).not.toContain("b1");
    await ask("b's read", read("b"));
    await leave("c1", 2);
    await ask("c2", write("c"));
    expect(admitted.slice(4)).toEqual(["b's read", "c2"]);
    await pass(39);
    expect(admitted).not.toContain("b1");
    await pass(1);
    expect(admitted).toContain("b1");
  });

  it("does not rest after a write of few rows", async () => {
    const { ask, leave, pass, admitted } = scene();
    await ask("a", write("a"));
    await leave("a", bulky);
    await ask("a1", write("a", "one"));
    await ask("a2", write("a", "two"));
    await pass(40);
    await leave("a1", 3);
    expect(admitted).toEqual(["a", "a1", "a2"]);
  });

  it("is forgotten with time, and is not what an account does that writes 100 single events a second", async () => {
    const { ask, leave, pass, admitted } = scene();
    await ask("a", write("a"));
    await leave("a", bulky);
    await pass(1_000);
    for (const account of ["one", "two"]) await ask(account, write("a", account));
    expect(admitted).toEqual(["a", "one", "two"]);
    for (const account of ["one", "two"]) await leave(account, 3);
    for (let i = 0; i < 1_000; i++) {
      await pass(10);
      await ask(`${i}`, write("a", `${i}`));
      await leave(`${i}`, 3);
    }
    for (const account of ["three", "four"]) await ask(account, write("a", account));
    expect(admitted.slice(-2)).toEqual(["three", "four"]);
  });
});

describe("reading in bulk", () => {
  const page = 1_000_000;

  it("is one at a time over all applications that do, and rests by what was read; others pass by", async () => {
    const { ask, leave, pass, admitted } = scene();
    for (const name of ["a", "b"]) {
      await ask(name, read(name));
      await leave(name, 0, 5 * page);
    }
    await ask("a1", read("a"));
    await ask("b1", read("b"));
    await ask("c1", read("c"));
    expect(admitted.slice(2)).toEqual(["a1", "c1"]);
    await leave("a1", 0, page);
    await ask("a's write", write("a"));
    expect(admitted.slice(4)).toEqual(["a's write"]);
    await pass(249);
    expect(admitted).not.toContain("b1");
    await pass(1);
    expect(admitted).toContain("b1");
  });

  it("is not what an application does that reads four pages of the largest size", async () => {
    const { ask, leave, admitted } = scene();
    for (const name of ["1", "2", "3", "4"]) {
      await ask(name, read("a"));
      await leave(name, 0, page);
    }
    await ask("5", read("a", "one"));
    await ask("6", read("a", "two"));
    expect(admitted).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  it("is as fast as can be while no other application is there", async () => {
    const { ask, leave, pass, admitted } = scene();
    await ask("b", read("b"));
    await leave("b");
    await pass(1_000);
    for (const name of ["1", "2", "3", "4", "5", "6"]) {
      await ask(name, read("a"));
      await leave(name, 0, page);
    }
    expect(admitted).toEqual(["b", "1", "2", "3", "4", "5", "6"]);
    await ask("b again", read("b"));
    await ask("7", read("a"));
    await leave("7", 0, page);
    await ask("8", read("a"));
    expect(admitted).not.toContain("8");
  });
});
