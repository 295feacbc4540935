import { type Causes, causing } from "@/tests/bench/webhook-causes";
import { oursDrain, oursFanOut } from "@/tests/bench/webhook-drains";
import { serveTasks } from "@/tests/rig/side-process";

let drain: ReturnType<typeof oursDrain> | undefined;
let cause: ReturnType<typeof causing> | undefined;

/** Each is begun when it is asked for: background work would take deliveries that another task sends. */
serveTasks({
  deliver: () => {
    drain ??= oursDrain();
    return drain();
  },
  "fan-out": oursFanOut,
  cause: async (causes: Causes) => {
    cause ??= causing();
    return (await cause)(causes);
  },
});
