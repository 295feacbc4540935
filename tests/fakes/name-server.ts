import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { onTestFinished } from "vitest";

/** What the name server says of a name: its addresses, an error code of DNS (2: server failure, 3: no such name), or nothing. */
export type Zone = Record<string, string[] | number | "silent">;

const A = 1;
const AAAA = 28;

/** A name server on loopback until the running test is over. Gives its `address:port`, and the names asked. */
export async function openNameServer(zone: Zone): Promise<{ server: string; asked: string[] }> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const said = zone[name] ?? 3;
    if (said === "silent") return;
    const addresses = typeof said === "number" ? [] : said.filter((one) => isIPv4(one) === (type === A));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (typeof said === "number" ? said : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...addresses.map(record)]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer that points to the question's name, good for no time. */
function record(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : bytesOfV6(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv4(address) ? A : AAAA, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOfV6(address: string): Buffer {
  const [left = "", right = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const gap = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array.from({ length: gap }, () => "0"), ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
