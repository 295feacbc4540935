import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OperationPage } from "@/components/docs/operation-page";
import { findOperation } from "@/components/docs/operations";
import { scenario } from "@/server/http/openapi/examples/scenario";
import { servedDocument } from "@/server/http/openapi/served";

interface PageProps {
  params: Promise<{ operation: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const located = findOperation(servedDocument(), (await params).operation);
  return { title: located?.operation.summary ?? "Not found" };
}

export default async function Page({ params }: PageProps) {
  const id = (await params).operation;
  const document = servedDocument();
  const located = findOperation(document, id);
  if (!located) notFound();
  const own = scenario.filter(({ operation }) => operation === id);
  const statuses = Object.fromEntries(own.map(({ name, status }) => [name, status]));
  return <OperationPage document={document} located={located} statuses={statuses} />;
}
