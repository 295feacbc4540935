import { type Front, type FrontRequest, type FrontResponse, plain, startFront } from "./forward";

const HOME = "/home/";
export const PLAIN_CALENDAR = "/home/cal/";

/** A CalDAV server that keeps and returns whatever it is given, byte by byte, as no well-kept server does. */
export interface PlainDav extends Front {
  url: string;
  /** Keeps a resource by its name under a new etag, or deletes it for null. */
  put(name: string, ics: string | Buffer | null): void;
  textOf(name: string): string | undefined;
  names(): string[];
  /** The names of resources that were asked for since the last call. */
  fetched(): string[];
  /** Whether half a resource is returned for a GET, as if it were whole. */
  cutGets(isOn: boolean): void;
}

export async function startPlainDav({ hasTokens = false } = {}): Promise<PlainDav> {
  const kept = new Map<string, { etag: string; body: Buffer }>();
  /** The versions in which resources changed, deleted ones too. */
  const changes = new Map<string, number>();
  let [version, asked, isCut] = [1, [] as string[], false];
  const put = (name: string, ics: string | Buffer | null) => {
    const path = `${PLAIN_CALENDAR}${name}`;
    version += 1;
    changes.set(path, version);
    if (ics === null) kept.delete(path);
    else kept.set(path, { etag: `"${version}"`, body: Buffer.from(ics) });
  };
  const listed = (since: number) =>
    [...changes].flatMap(([path, at]) => {
      if (at <= since) return [];
      const one = kept.get(path);
      if (one) return [response(path, `<getetag>${one.etag}</getetag><getcontenttype>text/calendar</getcontenttype>`)];
      return since === 0
        ? []
        : [Buffer.from(`<response><href>${path}</href><status>HTTP/1.1 404 Gone</status></response>`)];
    });
  const report = (body: string): FrontResponse => {
    if (body.includes("sync-collection")) {
      if (!hasTokens) return plain(415);
      const since = Number(/<d:sync-token>t(\d+)</.exec(body)?.[1] ?? 0);
      return multistatus([...listed(since), Buffer.from(`<sync-token>t${version}</sync-token>`)]);
    }
    const paths = [...body.matchAll(/<d:href>([^<]*)</g)].map(([, path = ""]) => path);
    asked.push(...paths.map(nameOf));
    return multistatus(
      paths.map((path) => {
        const one = kept.get(path);
        if (!one) return Buffer.from(`<response><href>${path}</href><status>HTTP/1.1 404 Gone</status></response>`);
        const data = one.body
          .toString("latin1")
          .replaceAll("&", "&amp;")
          .replaceAll("<", "&lt;")
          .replaceAll("\r", "&#13;");
        return response(path, `<getetag>${one.etag}</getetag><C:calendar-data>${data}</C:calendar-data>`);
      }),
    );
  };
  const answer = ({ method, path, headers, body }: FrontRequest): FrontResponse => {
    const one = kept.get(path);
    if (method === "REPORT") return report(body.toString());
    if (method === "PROPFIND") {
      const own = response(path, discovery(path, version, hasTokens));
      const below =
        headers.depth !== "1"
          ? []
          : path === HOME
            ? [response(PLAIN_CALENDAR, discovery(PLAIN_CALENDAR, version, hasTokens))]
            : listed(0);
      return multistatus([own, ...below]);
    }
    if (method === "GET") {
      asked.push(nameOf(path));
      if (!one) return plain(404);
      const body = isCut ? one.body.subarray(0, one.body.length / 2) : one.body;
      return { status: 200, headers: { etag: one.etag, "content-type": "text/calendar" }, body };
    }
    const isWanted = headers["if-match"] === undefined || headers["if-match"] === one?.etag;
    if (!isWanted || (headers["if-none-match"] === "*" && one)) return plain(412);
    if (method === "DELETE" && !one) return plain(404);
    put(nameOf(path), method === "DELETE" ? null : body);
    return plain(204, method === "PUT" ? { etag: kept.get(path)?.etag } : {});
  };
  const front = await startFront(
    () => 0,
    async (one) => answer(one),
  );
  return {
    ...front,
    url: `http://127.0.0.1:${front.port}`,
    put,
    textOf: (name) => kept.get(`${PLAIN_CALENDAR}${name}`)?.body.toString(),
    names: () => [...kept.keys()].map(nameOf),
    fetched: () => {
      const names = asked.sort();
      asked = [];
      return names;
    },
    cutGets: (isOn) => {
      isCut = isOn;
    },
  };
}

function nameOf(path: string): string {
  return path.slice(PLAIN_CALENDAR.length);
}

function discovery(path: string, version: number, hasTokens: boolean): string {
  const type = `<resourcetype><collection/>${path === PLAIN_CALENDAR ? "<C:calendar/>" : ""}</resourcetype><displayname>Team</displayname>`;
  const token = hasTokens ? `<sync-token>t${version}</sync-token>` : "";
  return `<current-user-principal><href>${HOME}</href></current-user-principal><C:calendar-home-set><href>${HOME}</href></C:calendar-home-set>
    ${type}${token}<S:getctag>c${version}</S:getctag>`;
}

/** Bytes stay as they are: latin1 has one sign for each. */
function response(href: string, props: string): Buffer {
  const whole = `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
  return Buffer.from(whole, "latin1");
}

function multistatus(responses: readonly Buffer[]): FrontResponse {
  const open =
    '<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/">';
  const body = Buffer.concat([Buffer.from(open), ...responses, Buffer.from("</multistatus>")]);
  return { status: 207, headers: { "content-type": "application/xml; charset=utf-8" }, body };
}
