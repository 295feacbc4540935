import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export interface SmtpServer {
  url: string;
  /** What was accepted, as it came. */
  got: { to: string[]; data: string }[];
  /** The code that it answers each message with from now on. */
  answer(code: number): void;
  /** From now on it refuses every user and password (RFC 4954). */
  refuseSignIn(): void;
  close(): Promise<void>;
}

/** An SMTP server on the loopback, which keeps what it is sent (RFC 5321). */
export async function startSmtpServer(): Promise<SmtpServer> {
  const got: SmtpServer["got"] = [];
  const open = new Set<Socket>();
  let code = 250;
  let isRefusing = false;
  const server = createServer((socket) => {
    open.add(socket.on("close", () => open.delete(socket)));
    const say = (line: string) => socket.write(`${line}\r\n`);
    let to: string[] = [];
    let rest = "";
    let isData = false;
    say("220 loopback");
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      rest += chunk.toString();
      const end = isData ? "\r\n.\r\n" : "\r\n";
      for (let at = rest.indexOf(end); at >= 0; at = rest.indexOf(isData ? "\r\n.\r\n" : "\r\n")) {
        const text = rest.slice(0, at);
        rest = rest.slice(at + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          if (code < 300) got.push({ to, data: text });
          say(`${code} done`);
        } else if (/^RCPT TO:/i.test(text)) {
          to.push(/<(.*)>/.exec(text)?.[1] ?? "");
          say("250 ok");
        } else if (/^DATA/i.test(text)) {
          isData = true;
          say("354 go on");
        } else if (/^EHLO/i.test(text)) {
          say("250-loopback\r\n250 AUTH PLAIN");
        } else if (/^AUTH PLAIN/i.test(text)) {
          say(isRefusing ? "535 5.7.8 wrong" : "235 2.7.0 ok");
        } else if (/^QUIT/i.test(text)) {
          say("221 bye");
          socket.end();
        } else {
          if (/^MAIL/i.test(text)) to = [];
          say("250 ok");
        }
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    answer: (next) => {
      code = next;
    },
    refuseSignIn: () => {
      isRefusing = true;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
}
