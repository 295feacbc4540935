import { type Post, startReceivers } from "@/tests/rig/receivers";

/** One host that many applications post to: /hook takes notifications, /slow after 200 ms, /hang never, /down none until it is up. */
export interface SharedReceiver {
  origin: string;
  /** What was taken. */
  notified(): Post[];
  /** Lets /down take notifications. */
  up(): void;
  close(): Promise<void>;
}

const SLOW_MS = 200;

export async function startSharedReceiver(): Promise<SharedReceiver> {
  let isUp = false;
  const { origins, posts, close } = await startReceivers(1, {
    isDead: ({ path }) => path.startsWith("/hang"),
    answerAfterMs: ({ path }) => (path.startsWith("/slow") ? SLOW_MS : 0),
    status: ({ path }) => (path.startsWith("/down") && !isUp ? 503 : 200),
  });
  return {
    origin: origins[0] ?? "",
    notified: () => posts.filter(({ status }) => status === 200),
    up: () => {
      isUp = true;
    },
    close,
  };
}
