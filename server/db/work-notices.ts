import pg from "pg";
import type { Query } from "@/server/db/client";
import { processName } from "@/server/db/process-name";
import { runOne } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { tellOfWork, WORK_CHANNEL } from "@/server/db/work-notices.sql";
import type { OutageLog } from "@/server/log";

const CONNECT_TIMEOUT_MS = 5_000;
const RETRY_MS = 1_000;
const NOTICE = /^(notify|deliver|sync|push|replay) (\d{1,12})$/;

/** Tells the processes that do background work of rows to drain, now or so many milliseconds later. Whoever does not listen at the moment never hears of it. */
export async function announceWork(query: Query, work: Work, afterMs: number): Promise<void> {
  await runOne(query, tellOfWork, [`${work} ${Math.ceil(afterMs)}`]);
}

export interface ListenOptions {
  connectionString: string;
  onWork(work: Work, afterMs: number): void;
  /** Called when listening begins, and again after each interruption: what was announced in between was not heard. */
  onOpen(): void;
  outage: OutageLog;
}

/** Listens on a connection of its own for what other processes announce, and opens another when it is lost. Gives what ends it. */
export function listenForWork({ connectionString, onWork, onOpen, outage }: ListenOptions): () => Promise<void> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const again = () => {
    client = undefined;
    if (!isOver) timer = setTimeout(() => void open(), RETRY_MS).unref();
  };
  const open = async () => {
    const opened = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      fallback_application_name: processName(),
    });
    client = opened;
    opened.on("error", outage.failed);
    opened.once("end", again);
    opened.on("notification", ({ payload }) => {
      const [, work, afterMs] = NOTICE.exec(payload ?? "") ?? [];
      if (work) onWork(work as Work, Number(afterMs));
    });
    try {
      await opened.connect();
      await opened.query(`LISTEN ${WORK_CHANNEL}`);
      outage.recovered();
      onOpen();
    } catch (error) {
      outage.failed(error);
      await opened.end().catch(() => undefined);
    }
  };
  void open();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
}
