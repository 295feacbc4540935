-- rolling: stop-first: the previous version reads the columns that this drops
-- Headers and bodies of requests that were stored before the column `detail` move there (ADR 55).
UPDATE request_logs SET detail = json_build_object('request_headers', request_headers, 'request_body', request_body,
    'response_headers', response_headers, 'response_body', response_body) WHERE detail IS NULL;

ALTER TABLE request_logs ALTER COLUMN detail SET NOT NULL,
    DROP COLUMN request_headers,
    DROP COLUMN request_body,
    DROP COLUMN response_headers,
    DROP COLUMN response_body;
