import { type FrontRequest, type FrontResponse, plain, startFront } from "./forward";

export interface Behaviour {
  /** The entry answers PROPFIND by sending the client on to the other host: "redirect", names it in its links: "links", or is the only one: "nowhere". */
  leads: "redirect" | "links" | "nowhere";
  /** Answers to PUT without an ETag, as iCloud's sometimes are. */
  etagless: boolean;
  /** Milliseconds before every answer. */
  slowness: number;
  /** Every answer waits for it. */
  until: Promise<unknown>;
  /** What is answered instead of the server's own answer; null breaks the connection; undefined hands on. */
  instead(asked: FrontRequest): FrontResponse | null | undefined;
  /** What it makes of the text of an answer before it is sent. */
  rewrite(text: string): string;
}

export interface ICloudFront {
  /** The entry point; the calendars are at `home`, on another port. */
  url: string;
  home: string;
  behaviour: Behaviour;
  /** What was asked at the entry and at the home, in order. */
  asked: { at: "entry" | "home"; method: string; path: string; authorized: boolean }[];
  /** How many requests at most it had at once since `asked` was last emptied. */
  mostAtOnce(): number;
  /** How many requests it has not yet answered. */
  unanswered(): number;
  close(): Promise<void>;
}

/** Before a CalDAV server (`behind` is its address): iCloud's way of answering, one thing at a time by `behaviour`. */
export async function startICloudFront(behind: string): Promise<ICloudFront> {
  const port = () => Number(new URL(behind).port);
  const behaviour: Behaviour = {
    leads: "links",
    etagless: false,
    slowness: 0,
    until: Promise.resolve(),
    instead: () => undefined,
    rewrite: (text) => text,
  };
  const asked: ICloudFront["asked"] = [];
  const note = (at: "entry" | "home", { method, path, headers }: FrontRequest) =>
    asked.push({ at, method, path, authorized: headers.authorization !== undefined });

  let underWay = 0;
  let most = 0;
  const counted = async (one: FrontRequest, handOn: () => Promise<FrontResponse>): Promise<FrontResponse | null> => {
    underWay += 1;
    most = asked.length <= 1 ? underWay : Math.max(most, underWay);
    return await answer(one, handOn).finally(() => {
      underWay -= 1;
    });
  };
  const answer = async (one: FrontRequest, handOn: () => Promise<FrontResponse>): Promise<FrontResponse | null> => {
    if (behaviour.slowness > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.slowness));
    await behaviour.until;
    const instead = behaviour.instead(one);
    if (instead !== undefined) return instead;
    const given = await handOn();
    if (behaviour.etagless && one.method === "PUT") delete given.headers.etag;
    return { ...given, body: Buffer.from(behaviour.rewrite(given.body.toString())) };
  };
  const home = await startFront(port, (one, handOn) => {
    note("home", one);
    return counted(one, handOn);
  });
  const origin = `http://127.0.0.1:${home.port}`;
  const entry = await startFront(port, async (one, handOn) => {
    note("entry", one);
    if (behaviour.leads === "redirect") return plain(301, { location: origin + one.path });
    const given = await counted(one, handOn);
    return given && behaviour.leads === "links" ? { ...given, body: withHost(given.body, origin) } : given;
  });
  return {
    url: `http://127.0.0.1:${entry.port}/`,
    home: `${origin}/`,
    behaviour,
    asked,
    mostAtOnce: () => most,
    unanswered: () => underWay,
    close: async () => {
      await entry.close();
      await home.close();
    },
  };
}

/** As iCloud's entry does: the principal stays there, the calendars' home is named by its whole address on another host. */
function withHost(body: Buffer, origin: string): Buffer {
  const link = /(<(?:\w+:)?calendar-home-set[^>]*>\s*<(?:\w+:)?href[^>]*>)\//g;
  return Buffer.from(body.toString().replaceAll(link, (_, start) => `${start}${origin}/`));
}
