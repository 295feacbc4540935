-- rolling: safe: tables of their own, which the previous version neither reads nor writes
-- CreateTable
CREATE TABLE "alert_targets" (
    "scope" TEXT NOT NULL,
    "emails" TEXT[],
    "webhook_url" TEXT,
    "sealed_secret" TEXT,

    CONSTRAINT "alert_targets_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "alert_rules" (
    "scope" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "email" BOOLEAN NOT NULL,
    "webhook" BOOLEAN NOT NULL,
    "quiet_minutes" INTEGER NOT NULL,

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("scope","kind")
);

-- CreateTable
CREATE TABLE "alerts" (
    "scope" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "notified_at" TIMESTAMPTZ(6),
    "announced" BOOLEAN NOT NULL DEFAULT false,
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("scope","kind","subject")
);

-- CreateTable
CREATE TABLE "alert_messages" (
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "way" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "due_at" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(6),
    "error" TEXT,

    CONSTRAINT "alert_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "alert_messages_scope_created_at_idx" ON "alert_messages"("scope", "created_at");

-- CreateIndex
CREATE INDEX "alert_messages_due_at_idx" ON "alert_messages"("due_at");

-- CreateIndex
CREATE INDEX "alert_messages_created_at_idx" ON "alert_messages"("created_at");
