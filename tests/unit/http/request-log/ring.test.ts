import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ring } from "@/server/http/request-log/rings";

describe("a ring", () => {
  it("keeps the newest in order, counts the lost and tells of each that leaves, like a list that is cut at its front", () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ take: fc.integer({ min: 0, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step), (capacity, steps) => {
        const left: number[] = [];
        const items = new Ring<number>(capacity, (item) => left.push(item));
        const model = { items: [] as number[], left: [] as number[], dropped: 0 };
        let next = 0;
        for (const each of steps) {
          if ("add" in each) {
            for (let i = 0; i < each.add; i += 1) {
              if (model.items.length === capacity) {
                model.left.push(...model.items.splice(0, 1));
                model.dropped += 1;
              }
              model.items.push(next);
              items.add(next);
              next += 1;
            }
          } else {
            const taken = model.items.splice(0, each.take);
            model.left.push(...taken);
            expect(items.take(each.take)).toEqual(taken);
          }
          expect([items.size, items.dropped, left]).toEqual([model.items.length, model.dropped, model.left]);
        }
      }),
    );
  });
});
