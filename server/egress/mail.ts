import { createTransport, type Transport } from "nodemailer";
import { env } from "@/server/env";

const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

export interface Mail {
  to: readonly string[];
  /** Identifies the email, so that receivers can recognise a copy. */
  messageId: string;
  subject: string;
  text: string;
}

/** Thrown when an email was not accepted: a code, since servers quote addresses and more. */
export class MailFailure extends Error {
  override name = "MailFailure";
}

/** Reports whether the operator configured an SMTP server. */
export function isMailConfigured(): boolean {
  return env().SMTP_URL !== undefined;
}

/** Hands an email to the operator's SMTP server. Throws MailFailure. */
export async function sendMail({ to, messageId, subject, text }: Mail): Promise<void> {
  const { SMTP_FROM, APP_URL } = env();
  await withTransport((transport) =>
    transport.sendMail({
      ...{ from: SMTP_FROM, to: [...to], subject, text },
      messageId: `<${messageId}@${new URL(APP_URL).hostname}>`,
      headers: { "auto-submitted": "auto-generated" },
    }),
  );
}

/** Connects to the operator's SMTP server and signs in, and sends nothing. Throws MailFailure. */
export async function verifyMail(): Promise<void> {
  await withTransport((transport) => transport.verify());
}

async function withTransport(work: (transport: Transport) => Promise<unknown>): Promise<void> {
  const { SMTP_URL } = env();
  if (SMTP_URL === undefined) throw new MailFailure("email is not set up");
  const waits = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENT_MS };
  const transport = createTransport({ url: SMTP_URL, ...waits, disableFileAccess: true, disableUrlAccess: true });
  try {
    await work(transport);
  } catch (error) {
    throw new MailFailure(reasonOf(error), { cause: error });
  } finally {
    transport.close();
  }
}

function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const parts = [code, responseCode].filter((part) => typeof part === "string" || typeof part === "number");
  return `SMTP ${parts.join(" ") || "error"}`;
}
