-- rolling: safe: the previous version neither reads nor writes the column, and shows staff the requests of this one without headers and bodies
-- Headers and bodies of a request as one JSON text: as jsonb, which nothing but the page of one request reads, they cost half of what the log's writer does.
ALTER TABLE "request_logs" ADD COLUMN "detail" TEXT,
    ALTER COLUMN "request_headers" SET DEFAULT '{}',
    ALTER COLUMN "response_headers" SET DEFAULT '{}';
