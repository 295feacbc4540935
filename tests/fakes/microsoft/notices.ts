import type { ChangeNotification } from "@microsoft/microsoft-graph-types";

/** A notification of a subscription, as it was or will be sent. */
export interface Notice {
  url: string;
  /** Of what a change notification or a lifecycle notification says. */
  value: ChangeNotification;
}

export interface SentNotice extends Notice {
  /** The status of the receiver's response; 0 without a response. */
  status: number;
}

/** How notices are delivered; tests change it at any time. */
export interface Notices {
  /** "hold" keeps notices until `release`, "drop" loses them. */
  mode: "deliver" | "drop" | "hold";
  /** How often each notice is sent; 2 doubles it. */
  copies: number;
  /** Milliseconds before each notice. */
  delay: number;
  /** What was sent, in order. */
  sent: SentNotice[];
  /** How many notices are held. */
  held(): number;
  /** Sends the held notices; together puts those for one address into one request. */
  release(order?: "in order" | "reversed" | "together"): Promise<void>;
  /** Resolves when nothing is on its way. */
  settled(): Promise<void>;
}

export interface NoticeQueue extends Notices {
  send(notice: Notice): void;
  close(): void;
}

const ATTEMPTS = 3;
const FIRST_RETRY_MS = 25;

/** Delivers notices one after the other. `timeout` is how many milliseconds a receiver has. */
export function noticeQueue(timeout: () => number): NoticeQueue {
  const waiting: Notice[] = [];
  const ending = new AbortController();
  let chain: Promise<void> = Promise.resolve();
  const queue: NoticeQueue = {
    mode: "deliver",
    copies: 1,
    delay: 0,
    sent: [],
    held: () => waiting.length,
    settled: () => chain,
    send(notice) {
      if (queue.mode === "hold") waiting.push(notice);
      else if (queue.mode === "deliver") enqueue([notice]);
    },
    async release(order = "in order") {
      const released = waiting.splice(0);
      const urls = [...new Set(released.map(({ url }) => url))];
      if (order === "together") for (const one of urls) enqueue(released.filter(({ url }) => url === one));
      else for (const notice of order === "reversed" ? released.reverse() : released) enqueue([notice]);
      await chain;
    },
    close: () => ending.abort(),
  };

  function enqueue(notices: Notice[]): void {
    for (let copy = 0; copy < queue.copies; copy += 1) chain = chain.then(() => deliver(notices));
  }

  /** "If Microsoft Graph doesn't receive a 2xx class code within 3 seconds, it tries to resend the change notification multiple times". */
  async function deliver(notices: Notice[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS && !ending.signal.aborted; attempt += 1) {
      const pause = attempt === 0 ? queue.delay : FIRST_RETRY_MS * 2 ** attempt;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const status = await post(notices, timeout(), ending.signal);
      queue.sent.push(...notices.map((notice) => ({ ...notice, status })));
      if (status >= 200 && status < 300) return;
    }
  }
  return queue;
}

/** A POST of a changeNotificationCollection. */
async function post(notices: Notice[], timeout: number, ending: AbortSignal): Promise<number> {
  try {
    const response = await fetch(notices[0]?.url ?? "", {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({ value: notices.map(({ value }) => value) }),
      redirect: "manual",
      signal: AbortSignal.any([ending, AbortSignal.timeout(timeout)]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
