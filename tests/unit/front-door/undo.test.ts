import { expect, it } from "vitest";
import { StartEnded, undoing } from "@/server/front-door/undo";

const fail = (error: unknown) => {
  throw error;
};

it("steps are taken back one after the other, the last one first, and once", async () => {
  const undo = undoing(fail);
  const taken: string[] = [];
  const step = (name: string) => async () => {
    await Promise.resolve();
    taken.push(name);
  };
  undo.add(step("lock"), step("database"));
  undo.add(step("port"));
  expect(undo.isTaken()).toBe(false);
  await Promise.all([undo.take(), undo.take()]);
  expect(undo.isTaken()).toBe(true);
  expect(taken).toEqual(["port", "database", "lock"]);
});

it("what a start opens after its end has begun is closed before the end is over, and the start goes no further", async () => {
  const undo = undoing(fail);
  const taken: string[] = [];
  let closed = () => {};
  undo.add(
    () => void taken.push("lock"),
    () => new Promise<void>((resolve) => (closed = resolve)),
  );
  const end = undo.take();
  expect(() => undo.add(() => void taken.push("port"))).toThrow(StartEnded);
  closed();
  await end;
  expect(taken.toSorted()).toEqual(["lock", "port"]);
});

it("a step that fails keeps no other from being taken", async () => {
  const failures: unknown[] = [];
  const undo = undoing((error) => failures.push(error));
  const taken: string[] = [];
  undo.add(
    () => void taken.push("lock"),
    () => Promise.reject(new Error("gone")),
  );
  await undo.take();
  expect(taken).toEqual(["lock"]);
  expect(failures).toEqual([new Error("gone")]);
});
