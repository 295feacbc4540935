/** A notification of a channel, as it was or will be sent. */
export interface Notice {
  channelId: string;
  state: "sync" | "exists";
  number: number;
  address: string;
  headers: Record<string, string>;
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
  /** Channels that were stopped still notify, as Google's do for a while. */
  lingering: boolean;
  /** What was sent, in order. */
  sent: SentNotice[];
  /** How many notices are held. */
  held(): number;
  /** Sends the held notices. */
  release(order?: "in order" | "reversed"): Promise<void>;
  /** Resolves when nothing is on its way. */
  settled(): Promise<void>;
}

export interface NoticeQueue extends Notices {
  send(notice: Notice): void;
  close(): void;
}

/** The push guide: a service that returns 500, 502, 503 or 504 is asked again, anything else is final. [K]: so is no response. */
const retried = new Set([0, 500, 502, 503, 504]);
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 25;

/** Delivers notices one after the other. */
export function noticeQueue(): NoticeQueue {
  const waiting: Notice[] = [];
  const ending = new AbortController();
  let chain: Promise<void> = Promise.resolve();
  const queue: NoticeQueue = {
    mode: "deliver",
    copies: 1,
    delay: 0,
    lingering: false,
    sent: [],
    held: () => waiting.length,
    settled: () => chain,
    send(notice) {
      if (queue.mode === "hold") waiting.push(notice);
      else if (queue.mode === "deliver") enqueue(notice);
    },
    async release(order = "in order") {
      const released = waiting.splice(0);
      for (const notice of order === "reversed" ? released.reverse() : released) enqueue(notice);
      await chain;
    },
    close: () => ending.abort(),
  };

  function enqueue(notice: Notice): void {
    for (let copy = 0; copy < queue.copies; copy += 1) chain = chain.then(() => deliver(notice));
  }

  async function deliver(notice: Notice): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS && !ending.signal.aborted; attempt += 1) {
      const pause = attempt === 0 ? queue.delay : FIRST_RETRY_MS * 2 ** attempt;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const status = await post(notice, ending.signal);
      queue.sent.push({ ...notice, status });
      if (!retried.has(status)) return;
    }
  }
  return queue;
}

/** The push guide: a POST without a body. */
async function post({ address, headers }: Notice, signal: AbortSignal): Promise<number> {
  try {
    const response = await fetch(address, { method: "POST", headers, redirect: "manual", signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
