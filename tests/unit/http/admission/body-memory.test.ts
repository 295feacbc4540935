import { describe, expect, it } from "vitest";
import { bodyMemory } from "@/server/http/admission/body-memory";

/** Memory of 100 bytes, 60 of them for one application, and which bodies were given up, in order. */
function scene() {
  const memory = bodyMemory({ most: 100, perApplication: 60 });
  const givenUp: string[] = [];
  return {
    memory,
    givenUp,
    begin: (application: string, name: string) => memory.begin(application, () => givenUp.push(name)),
  };
}

describe("the memory for bodies", () => {
  it("is there again when a body has ended, however often that is said", () => {
    const { memory, begin } = scene();
    const one = begin("a", "a1");
    expect([one.add(40), one.add(20), memory.held()]).toEqual([true, true, 60]);
    one.end();
    one.end();
    expect(memory.held()).toBe(0);
  });

  it("is limited for one application, whose body that asks for more is refused", () => {
    const { memory, begin } = scene();
    begin("a", "a1").add(40);
    const another = begin("a", "a2");
    expect([another.add(20), another.add(1), memory.held()]).toEqual([true, false, 40]);
    expect(another.add(1)).toBe(false);
  });

  it("that is used up is given up by the application that holds most, its newest body first", () => {
    const { memory, givenUp, begin } = scene();
    const greedy = ["old", "new"].map((name) => begin("greedy", name));
    for (const body of greedy) body.add(25);
    begin("other", "other").add(40);
    expect([begin("third", "third").add(20), givenUp, memory.held()]).toEqual([true, ["new"], 85]);
    expect(begin("third", "third 2").add(30)).toBe(false); // now it holds most itself
    expect([givenUp, memory.held()]).toEqual([["new", "third 2"], 85]);
  });

  it("is not taken from a body that is there: the one that asks is refused", () => {
    const { memory, givenUp, begin } = scene();
    for (const name of ["a", "b"]) {
      const body = begin(name, name);
      body.add(50);
      body.arrived();
    }
    expect([begin("c", "c").add(1), givenUp, memory.held()]).toEqual([false, ["c"], 100]);
  });

  it("never has more held than there is, whatever comes", () => {
    const { memory, begin } = scene();
    for (let i = 0; i < 200; i += 1) {
      const body = begin(`application ${i % 7}`, `${i}`);
      for (let piece = 0; piece < 5; piece += 1) body.add((i * 13 + piece * 7) % 40);
      expect(memory.held()).toBeLessThanOrEqual(100);
    }
  });
});
