-- rolling: stop-first: it stands for the 65 migrations of before 1.0, which the version before knows by their names
-- Tables, indexes, then functions with their triggers. Each database of before 1.0 has what this creates by the 65 migrations of replaces.sha256:
-- the runner replaces their rows in _prisma_migrations by the one of this (ADR 99). The columns are explained in schema.prisma.

-- Types

CREATE TYPE account_kind AS ENUM ('account', 'application_calendar');
CREATE TYPE background_state AS ENUM ('open', 'done', 'failed');
CREATE TYPE delivery_state AS ENUM ('pending', 'delivered', 'failed', 'cancelled');
CREATE TYPE operator_role AS ENUM ('admin', 'support', 'developer');
CREATE TYPE plan AS ENUM ('developer', 'standard');
CREATE TYPE provider AS ENUM ('google', 'microsoft', 'outlook', 'icloud', 'hosted', 'caldav');
CREATE TYPE provider_service AS ENUM ('google', 'google_workspace', 'microsoft_365', 'outlook', 'icloud', 'hosted', 'caldav');
CREATE TYPE replay_work_state AS ENUM ('running', 'done', 'cancelled');
CREATE TYPE sign_in_way AS ENUM ('password', 'single_sign_on');

-- Applications

CREATE TABLE applications (
    id text PRIMARY KEY,
    client_id text NOT NULL,
    name text NOT NULL,
    plan plan NOT NULL DEFAULT 'standard',
    compatibility_mode boolean NOT NULL DEFAULT false,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    disabled_at timestamptz(6),
    deleted_at timestamptz(6)
);

CREATE TABLE deleted_client_ids (
    client_id text PRIMARY KEY,
    deleted_at timestamptz(6) NOT NULL
);

CREATE TABLE client_secrets (
    id text PRIMARY KEY,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    sealed text NOT NULL,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used_at timestamptz(6),
    retired_at timestamptz(6)
);

CREATE TABLE redirect_uris (
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    uri text NOT NULL,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (application_id, uri)
);

CREATE TABLE caldav_servers (
    id text PRIMARY KEY,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    name text NOT NULL,
    url text NOT NULL,
    help text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE application_brandings (
    application_id text PRIMARY KEY REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    logo bytea,
    logo_hash text,
    accent text,
    support_url text,
    privacy_url text
);

-- Accounts and their mailboxes

CREATE TABLE accounts (
    id text PRIMARY KEY,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    kind account_kind NOT NULL,
    application_calendar_id text,
    name text NOT NULL,
    email text NOT NULL,
    default_tzid text NOT NULL DEFAULT 'Etc/UTC',
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    revoked_at timestamptz(6)
);

CREATE TABLE profiles (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    application_id text NOT NULL,
    provider provider NOT NULL,
    service provider_service NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    connected boolean NOT NULL DEFAULT true,
    initial_sync_required boolean NOT NULL DEFAULT true,
    credential text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    disconnected_at timestamptz(6),
    connection integer NOT NULL DEFAULT 0,
    disconnected_account_created_at timestamptz(6)
);

-- Calendars

CREATE TABLE calendars (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    profile_id text NOT NULL REFERENCES profiles ON UPDATE CASCADE ON DELETE CASCADE,
    number integer NOT NULL,
    external_id text NOT NULL,
    name text NOT NULL,
    readonly boolean NOT NULL DEFAULT false,
    deleted boolean NOT NULL DEFAULT false,
    "primary" boolean NOT NULL DEFAULT false,
    integrated_conferencing boolean NOT NULL DEFAULT false,
    permission_level text NOT NULL DEFAULT 'unrestricted',
    tzid text,
    sync_token text,
    changed_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    covered_until timestamptz(6),
    ctag text,
    stale_at timestamptz(6),
    sync_token_valid_until timestamptz(6),
    poll_due_at timestamptz(6),
    sync_failures integer NOT NULL DEFAULT 0,
    sync_error text,
    noticed_at timestamptz(6),
    read_at timestamptz(6)
);

-- A page reads `rendered` of 300 events: only texts of some length are worth a compression and a table beside it.
CREATE TABLE events (
    id text NOT NULL,
    calendar_id text NOT NULL REFERENCES calendars ON UPDATE CASCADE ON DELETE CASCADE,
    event_id text,
    external_id text,
    etag text,
    summary text NOT NULL,
    description text NOT NULL DEFAULT '',
    location text,
    url text,
    all_day boolean NOT NULL,
    starts timestamptz(6) NOT NULL,
    ends timestamptz(6) NOT NULL,
    tzid text,
    transparency text NOT NULL DEFAULT 'opaque',
    private boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'confirmed',
    participation_status text NOT NULL DEFAULT 'accepted',
    organizer jsonb,
    attendees jsonb NOT NULL DEFAULT '[]',
    categories jsonb NOT NULL DEFAULT '[]',
    conferencing jsonb,
    recurrence jsonb,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    deleted_at timestamptz(6),
    covered_until timestamptz(6),
    first_uid text,
    ical_recurrence jsonb,
    base_recurrence jsonb,
    pushed_at timestamptz(6),
    content_changed_at timestamptz(6),
    parts jsonb,
    link_due_at timestamptz(6),
    link_looks smallint NOT NULL DEFAULT 0,
    rendered text,
    PRIMARY KEY (calendar_id, id),
    CONSTRAINT events_span CHECK (ends >= starts),
    CONSTRAINT events_transparency CHECK (transparency IN ('opaque', 'transparent'))
) WITH (toast_tuple_target = 4080);

CREATE TABLE occurrences (
    uid text NOT NULL,
    master_id text NOT NULL,
    calendar_id text NOT NULL,
    event_id text,
    day date,
    first boolean NOT NULL DEFAULT true,
    all_day boolean NOT NULL,
    is_long boolean NOT NULL DEFAULT false,
    managed boolean NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    starts timestamptz(6) NOT NULL,
    ends timestamptz(6) NOT NULL,
    free_busy text NOT NULL DEFAULT 'busy',
    changes jsonb,
    updated_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (calendar_id, uid),
    FOREIGN KEY (calendar_id, master_id) REFERENCES events ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT occurrences_free_busy CHECK (free_busy IN ('busy', 'tentative', 'free')),
    CONSTRAINT occurrences_long_means_long CHECK (is_long = (ends - starts > interval '24 hours')),
    CONSTRAINT occurrences_span CHECK (ends >= starts),
    CONSTRAINT occurrences_state CHECK (state IN (0, 1, 2))
);

-- The counts of all kinds of a day lie together: a first page reads them by one look for each calendar and range of days (ADR 56).
CREATE TABLE calendar_days (
    calendar_id text NOT NULL REFERENCES calendars ON UPDATE CASCADE ON DELETE CASCADE,
    all_day boolean NOT NULL,
    managed boolean NOT NULL,
    day date NOT NULL,
    live integer NOT NULL DEFAULT 0,
    declined integer NOT NULL DEFAULT 0,
    deleted integer NOT NULL DEFAULT 0,
    PRIMARY KEY (calendar_id, day, all_day, managed),
    CONSTRAINT calendar_days_counts CHECK (live >= 0 AND declined >= 0 AND deleted >= 0)
);

CREATE TABLE calendar_months (
    calendar_id text NOT NULL REFERENCES calendars ON UPDATE CASCADE ON DELETE CASCADE,
    all_day boolean NOT NULL,
    managed boolean NOT NULL,
    month date NOT NULL,
    live integer NOT NULL DEFAULT 0,
    declined integer NOT NULL DEFAULT 0,
    deleted integer NOT NULL DEFAULT 0,
    PRIMARY KEY (calendar_id, month, all_day, managed),
    CONSTRAINT calendar_months_counts CHECK (live >= 0 AND declined >= 0 AND deleted >= 0)
);

-- Syncs with providers, and writes to them

CREATE TABLE provider_writes (
    id bigserial PRIMARY KEY,
    event_row text NOT NULL,
    calendar_id text NOT NULL,
    profile_id text NOT NULL,
    account_id text NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    notify boolean NOT NULL DEFAULT false,
    removed_guests text[],
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(6) DEFAULT CURRENT_TIMESTAMP,
    lease text,
    leased_until timestamptz(6),
    last_error text,
    refused_at timestamptz(6),
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    reverted_at timestamptz(6),
    changed_fields text[],
    remote_change_deferred boolean NOT NULL DEFAULT false,
    suspended boolean NOT NULL DEFAULT false,
    name text,
    FOREIGN KEY (calendar_id, event_row) REFERENCES events ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE provider_tokens (
    profile_id text PRIMARY KEY REFERENCES profiles ON UPDATE CASCADE ON DELETE CASCADE,
    sealed text NOT NULL,
    expires_at timestamptz(6) NOT NULL
);

CREATE TABLE provider_watches (
    channel text PRIMARY KEY,
    profile_id text NOT NULL REFERENCES profiles ON UPDATE CASCADE ON DELETE CASCADE,
    calendar_id text REFERENCES calendars ON UPDATE CASCADE ON DELETE CASCADE,
    resource text,
    expires_at timestamptz(6),
    renew_at timestamptz(6) NOT NULL
);

CREATE TABLE profile_syncs (
    profile_id text PRIMARY KEY REFERENCES profiles ON UPDATE CASCADE ON DELETE CASCADE,
    application_id text NOT NULL,
    provider provider NOT NULL,
    readable boolean NOT NULL,
    first_sync boolean NOT NULL,
    sync_token text,
    last_sync_at timestamptz(6),
    sync_due_at timestamptz(6),
    poll_due_at timestamptz(6),
    sync_lease text,
    sync_leased_until timestamptz(6),
    sync_failures integer NOT NULL DEFAULT 0,
    sync_error text,
    throttled_until timestamptz(6),
    sync_slow boolean NOT NULL DEFAULT false,
    push_slow boolean NOT NULL DEFAULT false,
    noticed_at timestamptz(6),
    write_claims integer NOT NULL DEFAULT 0,
    failing_account_id text,
    failing_account_created_at timestamptz(6)
);

CREATE TABLE provider_pauses (
    provider provider PRIMARY KEY,
    until timestamptz(6) NOT NULL
);

CREATE TABLE provider_sign_ins (
    state_hash bytea PRIMARY KEY,
    provider provider NOT NULL,
    sealed text NOT NULL,
    expires_at timestamptz(6) NOT NULL,
    used_at timestamptz(6)
);

CREATE TABLE provider_revocations (
    profile_id text PRIMARY KEY,
    provider provider NOT NULL,
    subject text NOT NULL,
    credential text NOT NULL,
    watches jsonb NOT NULL DEFAULT '[]',
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(6) NOT NULL
);

-- Access

CREATE TABLE grants (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    refresh_hash bytea NOT NULL,
    scope text NOT NULL DEFAULT 'read_write',
    sealed_pair text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used_at timestamptz(6)
);

CREATE TABLE access_tokens (
    hash bytea PRIMARY KEY,
    grant_id text NOT NULL REFERENCES grants ON UPDATE CASCADE ON DELETE CASCADE,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(6) NOT NULL
);

CREATE TABLE codes (
    hash bytea PRIMARY KEY,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    profile_id text,
    redirect_uri text NOT NULL,
    code_challenge text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(6) NOT NULL,
    used_at timestamptz(6),
    grant_id text REFERENCES grants ON UPDATE CASCADE ON DELETE SET NULL,
    pending text
);

CREATE TABLE link_tokens (
    hash bytea PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(6) NOT NULL,
    used_at timestamptz(6)
);

-- Webhooks

CREATE TABLE channels (
    id text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts ON UPDATE CASCADE ON DELETE CASCADE,
    callback_url text NOT NULL,
    calendar_ids text[],
    all_calendars boolean NOT NULL DEFAULT true,
    only_managed boolean,
    sealed_secret text NOT NULL,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    closed_at timestamptz(6),
    closed_by text,
    unnotified_since timestamptz(6),
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(6),
    failing boolean NOT NULL DEFAULT false,
    paused_at timestamptz(6),
    failed_at timestamptz(6),
    failed_status integer,
    failed_error text
);

CREATE TABLE outbox (
    id bigserial PRIMARY KEY,
    kind text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    due_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    attempts integer NOT NULL DEFAULT 0,
    lease text,
    leased_until timestamptz(6)
);

CREATE TABLE seen_changes (
    account_id text NOT NULL,
    minute timestamptz(6) NOT NULL,
    calendar_id text NOT NULL,
    managed boolean NOT NULL,
    first_at timestamptz(6) NOT NULL,
    last_at timestamptz(6) NOT NULL,
    PRIMARY KEY (account_id, minute, calendar_id, managed)
);

CREATE TABLE deliveries (
    id text NOT NULL,
    channel_id text NOT NULL REFERENCES channels ON UPDATE CASCADE ON DELETE CASCADE,
    account_id text NOT NULL,
    application_id text NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    host text NOT NULL,
    state delivery_state NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(6),
    lease text,
    leased_until timestamptz(6),
    last_status integer,
    last_error text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    finished_at timestamptz(6),
    changes_since timestamptz(6),
    manual_attempts integer NOT NULL DEFAULT 0,
    replay_from integer,
    replay_state delivery_state,
    scheduled_at timestamptz(6),
    replay_id text,
    joined_since timestamptz(6),
    test boolean NOT NULL DEFAULT false,
    trace text,
    waits boolean NOT NULL DEFAULT false,
    PRIMARY KEY (id, state, created_at)
) PARTITION BY LIST (state);

CREATE TABLE attempts (
    delivery_id text NOT NULL,
    number integer NOT NULL,
    manual boolean NOT NULL DEFAULT false,
    started_at timestamptz(6) NOT NULL,
    duration_ms integer,
    address text,
    status integer,
    error_class text,
    response_headers jsonb,
    response_body text,
    channel_id text,
    PRIMARY KEY (delivery_id, number, started_at)
) PARTITION BY RANGE (started_at);

-- What is pending is a partition of its own, the queue. What is done is history, partitioned by the day on which it was created, and goes by
-- dropping the partition (ADR 57). What fits no partition is in the last one: no delivery fails to end because of a missing day.
CREATE TABLE deliveries_queue PARTITION OF deliveries FOR VALUES IN ('pending');
CREATE TABLE deliveries_history PARTITION OF deliveries FOR VALUES IN ('delivered', 'failed', 'cancelled') PARTITION BY RANGE (created_at);
CREATE TABLE deliveries_rest PARTITION OF deliveries_history DEFAULT;
CREATE TABLE attempts_rest PARTITION OF attempts DEFAULT;

-- The days until tomorrow, before a process prepares those that follow. Their names say where they end, as those of the days do.
DO $$
DECLARE
    ends timestamp := date_trunc('day', now() AT TIME ZONE 'UTC') + interval '2 days';
    parents record;
BEGIN
    FOR parents IN SELECT * FROM (VALUES ('deliveries', 'deliveries_history'), ('attempts', 'attempts')) AS t(prefix, parent) LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%L)',
            parents.prefix || to_char(ends, '"_before_"YYYYMMDD'), parents.parent, to_char(ends, 'YYYY-MM-DD') || ' 00:00Z');
    END LOOP;
END $$;

-- Each claim changes some: they stay within their pages.
CREATE TABLE delivery_hosts (
    host text PRIMARY KEY,
    claims bigint NOT NULL DEFAULT 0,
    claimed_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000);

CREATE TABLE replays (
    id text PRIMARY KEY,
    operator_id text NOT NULL,
    filters jsonb NOT NULL,
    total integer NOT NULL,
    taken integer NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    state replay_work_state NOT NULL DEFAULT 'running',
    position_at timestamptz(6),
    position_id text,
    all_taken boolean NOT NULL DEFAULT false,
    due_at timestamptz(6) NOT NULL,
    created_at timestamptz(6) NOT NULL,
    finished_at timestamptz(6),
    closed integer NOT NULL DEFAULT 0
);

CREATE TABLE replay_tallies (
    replay_id text PRIMARY KEY REFERENCES replays ON UPDATE CASCADE ON DELETE CASCADE,
    begun integer NOT NULL DEFAULT 0,
    taken_back integer NOT NULL DEFAULT 0
);

-- Requests

CREATE TABLE request_logs (
    id uuid NOT NULL,
    expires_on date NOT NULL,
    request_id text NOT NULL,
    at timestamptz(6) NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    query text,
    status smallint NOT NULL,
    duration_ms double precision NOT NULL,
    application_id text,
    account_id text,
    address text,
    error_keys text[],
    request_headers jsonb NOT NULL DEFAULT '{}',
    request_body jsonb,
    response_headers jsonb NOT NULL DEFAULT '{}',
    response_body jsonb,
    endpoint text,
    detail text,
    PRIMARY KEY (id, expires_on)
) PARTITION BY RANGE (expires_on);

CREATE TABLE request_counts (
    minute timestamptz(6) NOT NULL,
    application_id text NOT NULL DEFAULT '',
    requests integer NOT NULL,
    client_errors integer NOT NULL,
    server_errors integer NOT NULL,
    throttled integer NOT NULL,
    not_stored integer NOT NULL DEFAULT 0,
    PRIMARY KEY (minute, application_id)
) WITH (fillfactor = 70);

CREATE TABLE request_counts_by_hour (
    hour timestamptz(6) NOT NULL,
    application_id text NOT NULL DEFAULT '',
    requests integer NOT NULL,
    client_errors integer NOT NULL,
    server_errors integer NOT NULL,
    throttled integer NOT NULL,
    not_stored integer NOT NULL DEFAULT 0,
    PRIMARY KEY (hour, application_id)
) WITH (fillfactor = 70);

CREATE TABLE request_tallies (
    id uuid PRIMARY KEY,
    at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Staff

CREATE TABLE operators (
    id text PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    role operator_role NOT NULL,
    password_hash text,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    disabled_at timestamptz(6)
);

CREATE TABLE operator_sessions (
    id text PRIMARY KEY,
    operator_id text NOT NULL REFERENCES operators ON UPDATE CASCADE ON DELETE CASCADE,
    way sign_in_way NOT NULL,
    created_at timestamptz(6) NOT NULL,
    last_seen_at timestamptz(6) NOT NULL,
    expires_at timestamptz(6) NOT NULL,
    ended_at timestamptz(6),
    ended_by text,
    address text,
    user_agent text
);

CREATE TABLE application_members (
    operator_id text NOT NULL REFERENCES operators ON UPDATE CASCADE ON DELETE CASCADE,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (operator_id, application_id)
);

CREATE TABLE invitations (
    id text PRIMARY KEY,
    token_hash bytea NOT NULL,
    email text NOT NULL,
    created_at timestamptz(6) NOT NULL,
    expires_at timestamptz(6) NOT NULL,
    accepted_at timestamptz(6),
    revoked_at timestamptz(6)
);

CREATE TABLE invitation_applications (
    invitation_id text NOT NULL REFERENCES invitations ON UPDATE CASCADE ON DELETE CASCADE,
    application_id text NOT NULL REFERENCES applications ON UPDATE CASCADE ON DELETE CASCADE,
    PRIMARY KEY (invitation_id, application_id)
);

CREATE TABLE audit_entries (
    id bigserial PRIMARY KEY,
    at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    operator_id text,
    actor text NOT NULL,
    action text NOT NULL,
    object text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}',
    address text,
    request_id text
);

-- Alerts

CREATE TABLE alert_targets (
    scope text PRIMARY KEY,
    emails text[],
    webhook_url text,
    sealed_secret text
);

CREATE TABLE alert_rules (
    scope text NOT NULL,
    kind text NOT NULL,
    email boolean NOT NULL,
    webhook boolean NOT NULL,
    quiet_minutes integer NOT NULL,
    PRIMARY KEY (scope, kind)
);

CREATE TABLE alerts (
    scope text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    facts jsonb NOT NULL,
    since timestamptz(6) NOT NULL,
    notified_at timestamptz(6),
    announced boolean NOT NULL DEFAULT false,
    ended_at timestamptz(6),
    PRIMARY KEY (scope, kind, subject)
);

CREATE TABLE alert_looks (
    one boolean PRIMARY KEY DEFAULT true,
    looked_at timestamptz(6) NOT NULL
);

INSERT INTO alert_looks (looked_at) VALUES (now());

CREATE TABLE alert_messages (
    id text PRIMARY KEY,
    scope text NOT NULL,
    way text NOT NULL,
    body jsonb NOT NULL,
    created_at timestamptz(6) NOT NULL,
    due_at timestamptz(6),
    attempts integer NOT NULL DEFAULT 0,
    sent_at timestamptz(6),
    error text
);

-- The embedded executor (server/jobs/executor)

CREATE TABLE background_events (
    app_id text NOT NULL,
    id text NOT NULL,
    received_at timestamptz(6) NOT NULL,
    PRIMARY KEY (app_id, id)
);

CREATE TABLE background_runs (
    id text PRIMARY KEY,
    app_id text NOT NULL,
    function_id text NOT NULL,
    event text NOT NULL,
    state background_state NOT NULL DEFAULT 'open',
    attempt integer NOT NULL DEFAULT 0,
    due_at timestamptz(6) NOT NULL,
    lease text,
    error text,
    created_at timestamptz(6) NOT NULL,
    finished_at timestamptz(6)
);

CREATE TABLE background_steps (
    run_id text NOT NULL REFERENCES background_runs ON UPDATE CASCADE ON DELETE CASCADE,
    id text NOT NULL,
    place integer NOT NULL,
    result text NOT NULL,
    PRIMARY KEY (run_id, id)
);

CREATE TABLE background_crons (
    app_id text NOT NULL,
    function_id text NOT NULL,
    cron text NOT NULL,
    next_at timestamptz(6) NOT NULL,
    PRIMARY KEY (app_id, function_id, cron)
);

-- Indexes. Those of primary keys come with their tables. schema.prisma has no words for partial indexes, expressions and INCLUDE.

CREATE UNIQUE INDEX applications_client_id_key ON applications (client_id);
CREATE INDEX application_brandings_logo_hash_idx ON application_brandings (logo_hash);
CREATE INDEX client_secrets_application_id_idx ON client_secrets (application_id);
CREATE UNIQUE INDEX caldav_servers_application_id_url_key ON caldav_servers (application_id, url);

CREATE INDEX accounts_application_id_created_at_idx ON accounts (application_id, created_at);
-- One open application calendar has a name in an application.
CREATE UNIQUE INDEX accounts_open_application_calendar ON accounts (application_id, application_calendar_id)
    WHERE revoked_at IS NULL AND application_calendar_id IS NOT NULL;
-- Staff's list of all accounts, and its searches by the beginning of an email address or of an application's own name.
CREATE INDEX accounts_newest ON accounts (created_at, id);
CREATE INDEX accounts_email_prefix ON accounts ((lower(email)) text_pattern_ops);
CREATE INDEX accounts_calendar_name ON accounts (application_calendar_id text_pattern_ops) WHERE application_calendar_id IS NOT NULL;

CREATE INDEX profiles_account_id_idx ON profiles (account_id);
CREATE UNIQUE INDEX profiles_application_id_provider_subject_key ON profiles (application_id, provider, subject);
-- What staff have to look after: of an account, in the order of the list of all accounts, and in that of an application's.
CREATE INDEX profiles_disconnected ON profiles (account_id) WHERE NOT connected;
CREATE INDEX profiles_disconnected_newest ON profiles (disconnected_account_created_at, account_id)
    WHERE disconnected_account_created_at IS NOT NULL;
CREATE INDEX profiles_disconnected_of_application ON profiles (application_id, disconnected_account_created_at, account_id)
    WHERE disconnected_account_created_at IS NOT NULL;

CREATE UNIQUE INDEX calendars_account_id_number_key ON calendars (account_id, number);
CREATE UNIQUE INDEX calendars_profile_id_external_id_key ON calendars (profile_id, external_id);
-- The calendars whose series the day's chore continues.
CREATE INDEX calendars_to_continue ON calendars (covered_until) WHERE covered_until IS NOT NULL;

CREATE INDEX events_calendar_id_external_id_idx ON events (calendar_id, external_id);
-- One event that is not deleted has an application's name in a calendar.
CREATE UNIQUE INDEX events_living_event_id ON events (calendar_id, event_id) WHERE deleted_at IS NULL AND event_id IS NOT NULL;
CREATE INDEX events_to_continue ON events (calendar_id, covered_until) WHERE covered_until IS NOT NULL AND deleted_at IS NULL;
-- Series whose content was changed since a time: reads with last_modified return their occurrences, whose rows were not touched.
CREATE INDEX events_content_changed ON events (calendar_id, content_changed_at) WHERE content_changed_at IS NOT NULL;
-- Events whose meeting link the provider is creating.
CREATE INDEX events_link_due ON events (calendar_id, link_due_at) WHERE link_due_at IS NOT NULL;
-- The dashboard's search alone knows no calendar: by the application's name for an event, and by ours.
CREATE INDEX events_event_id ON events (event_id) WHERE event_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX events_living_id ON events (id) WHERE deleted_at IS NULL;

CREATE INDEX occurrences_calendar_id_updated_at_idx ON occurrences (calendar_id, updated_at);
-- The window of a read: one scan for each calendar, kind and authorship, in the order of the page. Deleted ones stand apart, so that a
-- calendar whose events are written again every night is read as fast as any other.
CREATE INDEX occurrences_window ON occurrences (calendar_id, all_day, managed, starts, uid) INCLUDE (ends, state) WHERE state <> 2;
CREATE INDEX occurrences_window_deleted ON occurrences (calendar_id, all_day, managed, starts, uid) INCLUDE (ends, state)
    WHERE state <> 0 AND state <> 1;
-- Spans over 24 hours by the class of their length (server/store/events/pages/scans.ts): of each class only those that began at most its length ago
-- can reach into a window, however many lie further back or ahead.
CREATE INDEX occurrences_long ON occurrences (calendar_id, all_day, managed,
    (width_bucket(ends - starts, '{96:00,384:00,1536:00,6144:00}'::interval[])), starts, uid) INCLUDE (ends, state) WHERE is_long;
CREATE INDEX occurrences_calendar_id_master_id_day_idx ON occurrences (calendar_id, master_id, day);

CREATE INDEX provider_writes_account_id_idx ON provider_writes (account_id);
-- What is being pushed now: few rows, however many wait.
CREATE INDEX provider_writes_leased ON provider_writes (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX provider_writes_refused ON provider_writes (account_id) WHERE refused_at IS NOT NULL;
-- Writes of disconnected profiles wait apart, so that no claim comes across them.
CREATE INDEX provider_writes_due ON provider_writes (due_at) WHERE refused_at IS NULL AND NOT suspended;
CREATE INDEX provider_writes_of_profile ON provider_writes (profile_id, due_at) WHERE refused_at IS NULL AND NOT suspended;
CREATE INDEX provider_writes_suspended ON provider_writes (profile_id) WHERE suspended;
CREATE UNIQUE INDEX provider_writes_calendar_id_event_row_key ON provider_writes (calendar_id, event_row);

CREATE INDEX provider_watches_profile_id_idx ON provider_watches (profile_id);
CREATE INDEX provider_watches_calendar_id_idx ON provider_watches (calendar_id);

-- When a provider is due next: those of a paused one are never come across.
CREATE INDEX profile_syncs_due ON profile_syncs (provider, first_sync, sync_due_at) WHERE readable;
-- The mailboxes of an application at a provider whose sync is due: first syncs have places of their own, and slow mailboxes a queue.
CREATE INDEX profile_syncs_of_application_due ON profile_syncs (provider, application_id, sync_slow, sync_due_at) WHERE readable AND NOT first_sync;
CREATE INDEX profile_syncs_of_application_first ON profile_syncs (provider, application_id, sync_due_at) WHERE readable AND first_sync;
CREATE INDEX profile_syncs_throttled ON profile_syncs (throttled_until) WHERE throttled_until IS NOT NULL;
-- Mailboxes that could not be read several times in a row (server/services/staff/accounts/mailbox-states.ts), as those that are disconnected.
CREATE INDEX profile_syncs_failing ON profile_syncs (profile_id) WHERE readable AND sync_failures >= 3;
CREATE INDEX profile_syncs_failing_newest ON profile_syncs (failing_account_created_at, failing_account_id)
    WHERE failing_account_created_at IS NOT NULL;
CREATE INDEX profile_syncs_failing_of_application ON profile_syncs (application_id, failing_account_created_at, failing_account_id)
    WHERE failing_account_created_at IS NOT NULL;

CREATE INDEX provider_sign_ins_expires_at_idx ON provider_sign_ins (expires_at);
CREATE INDEX provider_revocations_due_at_idx ON provider_revocations (due_at);

CREATE UNIQUE INDEX grants_refresh_hash_key ON grants (refresh_hash);
CREATE INDEX grants_account_id_idx ON grants (account_id);
CREATE INDEX access_tokens_grant_id_idx ON access_tokens (grant_id);
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);
CREATE INDEX codes_account_id_idx ON codes (account_id);
CREATE INDEX codes_expires_at_idx ON codes (expires_at);
CREATE INDEX link_tokens_account_id_idx ON link_tokens (account_id);
CREATE INDEX link_tokens_expires_at_idx ON link_tokens (expires_at);

CREATE INDEX channels_account_id_created_at_idx ON channels (account_id, created_at);
CREATE INDEX channels_open ON channels (account_id) WHERE closed_at IS NULL;
-- Callback URLs by their host, by how host and path begin, by the end of their host (acme.io finds hooks.acme.io), and by how their path
-- begins. What stands after ? is in no index: it may hold a secret.
CREATE INDEX channels_of_host ON channels
    (lower(regexp_replace(substring(callback_url from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', '')));
CREATE INDEX channels_of_endpoint ON channels
    ((lower(regexp_replace(substring(callback_url from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', ''))
      || coalesce(substring(callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), '')) text_pattern_ops);
CREATE INDEX channels_of_domain ON channels
    (reverse(lower(regexp_replace(substring(callback_url from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', ''))) text_pattern_ops);
CREATE INDEX channels_of_path ON channels
    ((coalesce(substring(callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), '')) text_pattern_ops);
-- Staff's list of endpoints: all, those that fail, those that are paused.
CREATE INDEX channels_newest ON channels (created_at, id);
CREATE INDEX channels_failing ON channels (created_at, id) WHERE failing AND closed_at IS NULL;
CREATE INDEX channels_paused ON channels (created_at, id) WHERE paused_at IS NOT NULL AND closed_at IS NULL;

CREATE INDEX outbox_kind_due_at_idx ON outbox (kind, due_at);
CREATE INDEX outbox_account_id_idx ON outbox (account_id);
-- Signals that become notifications; other kinds have other readers.
CREATE INDEX outbox_notify ON outbox (due_at)
    WHERE kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed');
-- Rows come in the order of time and go in it, so a few pages find the oldest.
CREATE INDEX seen_changes_minute_idx ON seen_changes USING brin (minute);

CREATE INDEX deliveries_channel_id_created_at_idx ON deliveries (channel_id, created_at);
CREATE INDEX deliveries_application_id_created_at_idx ON deliveries (application_id, created_at);
CREATE INDEX deliveries_created_at_idx ON deliveries (created_at);
-- The queue: what is due, at whom, under way, overdue; of an account, of a retry of many; and what failed before. All of it is pending, but
-- only an index that says so answers without the table what a statement asks of pending ones.
CREATE INDEX deliveries_due ON deliveries_queue (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_of_receiver ON deliveries_queue (application_id, host, next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_leased ON deliveries_queue (leased_until, application_id, host) WHERE state = 'pending' AND leased_until IS NOT NULL;
CREATE INDEX deliveries_last_attempt ON deliveries_queue (next_attempt_at) WHERE state = 'pending' AND attempts >= 10;
CREATE INDEX deliveries_pending_of_account ON deliveries_queue (account_id) WHERE state = 'pending';
CREATE INDEX deliveries_replayed ON deliveries_queue (replay_id) WHERE state = 'pending' AND replay_from IS NOT NULL;
CREATE INDEX deliveries_retrying ON deliveries_queue (created_at)
    INCLUDE (id, channel_id, application_id, attempts, last_status, last_error)
    WHERE state = 'pending' AND (last_error IS NOT NULL OR last_status NOT BETWEEN 200 AND 299);
-- What is rare in the history: read from the index alone.
CREATE INDEX deliveries_not_delivered ON deliveries_history (created_at, id)
    INCLUDE (state, last_error, last_status, type, application_id, channel_id) WHERE state IN ('failed', 'cancelled');
CREATE INDEX deliveries_rare_types ON deliveries (created_at, id)
    INCLUDE (type, state, last_error, last_status, application_id, channel_id) WHERE type <> 'change';
-- The figures of an endpoint. An attempt of a version before that has no channel.
CREATE INDEX attempts_of_channel ON attempts (channel_id, started_at) INCLUDE (duration_ms, status) WHERE channel_id IS NOT NULL;
-- A claim steps over what is ready, and what has waited long enough is made ready first. That is an expression, because the index of all due
-- times would do for the time itself: a statement that is planned while the queue is short would then read the whole backlog.
CREATE INDEX deliveries_ready ON deliveries_queue (application_id, host, next_attempt_at)
    WHERE state = 'pending' AND NOT waits AND next_attempt_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries_queue ((CASE WHEN waits THEN next_attempt_at END)) WHERE state = 'pending' AND waits;

CREATE INDEX replays_created_at_idx ON replays (created_at);
-- Looked for at every sweep.
CREATE INDEX replays_running ON replays (due_at) WHERE state = 'running';

CREATE INDEX request_logs_request_id_idx ON request_logs (request_id);
CREATE INDEX request_logs_at_idx ON request_logs (at);
CREATE INDEX request_logs_application_id_at_idx ON request_logs (application_id, at);
CREATE INDEX request_logs_account_id_at_idx ON request_logs (account_id, at);
-- What staff look for, as one set: so that one index finds every combination, and the rare ones soon. Method, route and class of the status
-- are one: what two of them have in common would be sought in half of all rows. Ids in paths begin with a slash and paths of no route with an
-- equals sign, so that no caller's text is taken for something else.
CREATE FUNCTION request_facets(method text, endpoint text, path text, status smallint, application_id text, error_keys text[])
    RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_remove(ARRAY["method" || ' ' || coalesce("endpoint", '') || ' ' || ("status" / 100)::text, "application_id",
        CASE WHEN "status" >= 300 THEN "status"::text END, CASE WHEN "status" >= 300 THEN ("status" / 100)::text || 'xx' END,
        CASE WHEN "endpoint" IS NULL THEN '=' || "path" WHEN "endpoint" LIKE '%{%' THEN '/' || split_part("path", '/', 4) END], NULL)
        || "error_keys"
$$;
CREATE INDEX request_logs_facets ON request_logs
    USING gin (request_facets(method, endpoint, path, status, application_id, error_keys)) WITH (gin_pending_list_limit = 512);

CREATE UNIQUE INDEX operators_email_key ON operators (email);
CREATE INDEX operator_sessions_operator_id_created_at_idx ON operator_sessions (operator_id, created_at);
CREATE INDEX application_members_application_id_idx ON application_members (application_id);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitation_applications_application_id_idx ON invitation_applications (application_id);
CREATE INDEX audit_entries_at_idx ON audit_entries (at);
CREATE INDEX audit_entries_object_at_idx ON audit_entries (object, at);
CREATE INDEX audit_entries_operator_id_at_idx ON audit_entries (operator_id, at);

CREATE INDEX alert_messages_scope_created_at_idx ON alert_messages (scope, created_at);
CREATE INDEX alert_messages_due_at_idx ON alert_messages (due_at);
CREATE INDEX alert_messages_created_at_idx ON alert_messages (created_at);

CREATE INDEX background_events_app_id_received_at_idx ON background_events (app_id, received_at);
-- The claim reads open runs in the order in which they are due.
CREATE INDEX background_runs_due ON background_runs (app_id, due_at) WHERE state = 'open';
CREATE INDEX background_runs_finished ON background_runs (app_id, state, finished_at) WHERE finished_at IS NOT NULL;

-- Functions and triggers

-- Counts of a calendar's days and months follow its occurrences, so that a page's total is exact without counting them.
CREATE FUNCTION count_inserted_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" AS d ("calendar_id", "all_day", "managed", "day", "live", "declined", "deleted")
    SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date,
           count(*) FILTER (WHERE "state" = 0), count(*) FILTER (WHERE "state" = 1), count(*) FILTER (WHERE "state" = 2)
    FROM "inserted" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("calendar_id", "all_day", "managed", "day") DO UPDATE
    SET "live" = d."live" + excluded."live", "declined" = d."declined" + excluded."declined", "deleted" = d."deleted" + excluded."deleted";

    INSERT INTO "calendar_months" AS m ("calendar_id", "all_day", "managed", "month", "live", "declined", "deleted")
    SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date,
           count(*) FILTER (WHERE "state" = 0), count(*) FILTER (WHERE "state" = 1), count(*) FILTER (WHERE "state" = 2)
    FROM "inserted" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("calendar_id", "all_day", "managed", "month") DO UPDATE
    SET "live" = m."live" + excluded."live", "declined" = m."declined" + excluded."declined", "deleted" = m."deleted" + excluded."deleted";
    RETURN NULL;
END $$;
CREATE TRIGGER occurrences_inserted AFTER INSERT ON occurrences
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_occurrences();

-- Most updates change no count: then no month is looked at.
CREATE FUNCTION count_updated_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "calendar_days" ("calendar_id", "all_day", "managed", "day")
    SELECT DISTINCT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date FROM "inserted" ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

    UPDATE "calendar_days" d
    SET "live" = d."live" + x.live, "declined" = d."declined" + x.declined, "deleted" = d."deleted" + x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 coalesce(sum(n) FILTER (WHERE "state" = 0), 0) AS live, coalesce(sum(n) FILTER (WHERE "state" = 1), 0) AS declined,
                 coalesce(sum(n) FILTER (WHERE "state" = 2), 0) AS deleted
          FROM (SELECT "calendar_id", "all_day", "managed", "starts", "state", 1 AS n FROM "inserted"
                UNION ALL
                SELECT "calendar_id", "all_day", "managed", "starts", "state", -1 FROM "removed") moves
          GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day)
      AND (x.live <> 0 OR x.declined <> 0 OR x.deleted <> 0);
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;

    INSERT INTO "calendar_months" ("calendar_id", "all_day", "managed", "month")
    SELECT DISTINCT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date FROM "inserted" ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;

    UPDATE "calendar_months" m
    SET "live" = m."live" + x.live, "declined" = m."declined" + x.declined, "deleted" = m."deleted" + x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date AS month,
                 coalesce(sum(n) FILTER (WHERE "state" = 0), 0) AS live, coalesce(sum(n) FILTER (WHERE "state" = 1), 0) AS declined,
                 coalesce(sum(n) FILTER (WHERE "state" = 2), 0) AS deleted
          FROM (SELECT "calendar_id", "all_day", "managed", "starts", "state", 1 AS n FROM "inserted"
                UNION ALL
                SELECT "calendar_id", "all_day", "managed", "starts", "state", -1 FROM "removed") moves
          GROUP BY 1, 2, 3, 4) x
    WHERE (m."calendar_id", m."all_day", m."managed", m."month") = (x."calendar_id", x."all_day", x."managed", x.month)
      AND (x.live <> 0 OR x.declined <> 0 OR x.deleted <> 0);
    RETURN NULL;
END $$;
CREATE TRIGGER occurrences_updated AFTER UPDATE ON occurrences
    REFERENCING OLD TABLE AS removed NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_updated_occurrences();

CREATE FUNCTION count_deleted_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "calendar_days" d
    SET "live" = d."live" - x.live, "declined" = d."declined" - x.declined, "deleted" = d."deleted" - x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", ("starts" AT TIME ZONE 'UTC')::date AS day,
                 count(*) FILTER (WHERE "state" = 0) AS live, count(*) FILTER (WHERE "state" = 1) AS declined,
                 count(*) FILTER (WHERE "state" = 2) AS deleted
          FROM "removed" GROUP BY 1, 2, 3, 4) x
    WHERE (d."calendar_id", d."all_day", d."managed", d."day") = (x."calendar_id", x."all_day", x."managed", x.day);

    UPDATE "calendar_months" m
    SET "live" = m."live" - x.live, "declined" = m."declined" - x.declined, "deleted" = m."deleted" - x.deleted
    FROM (SELECT "calendar_id", "all_day", "managed", date_trunc('month', "starts" AT TIME ZONE 'UTC')::date AS month,
                 count(*) FILTER (WHERE "state" = 0) AS live, count(*) FILTER (WHERE "state" = 1) AS declined,
                 count(*) FILTER (WHERE "state" = 2) AS deleted
          FROM "removed" GROUP BY 1, 2, 3, 4) x
    WHERE (m."calendar_id", m."all_day", m."managed", m."month") = (x."calendar_id", x."all_day", x."managed", x.month);
    RETURN NULL;
END $$;
CREATE TRIGGER occurrences_deleted AFTER DELETE ON occurrences
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_occurrences();

-- Where a walk along the window index begins. The cost is for the planner to see (ADR 4): it falls due once for a walk in order, and for each
-- row of any other way to the same rows.
CREATE FUNCTION walk_from(at timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE STRICT COST 4000 AS $$
BEGIN
    RETURN "at";
END $$;

-- What all occurrences of an event have in common in a response, as the members of a JSON object (ADR 37). `event_id` comes first, if the
-- application created the event.
CREATE FUNCTION rendered_event(e events) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN coalesce('"event_id":' || to_json("e"."event_id")::text || ',', '')
        || '"calendar_id":' || to_json("e"."calendar_id")::text
        || ',"summary":' || to_json("e"."summary")::text
        || ',"description":' || to_json("e"."description")::text
        || coalesce(',"location":{"description":' || to_json("e"."location")::text || '}', '')
        || coalesce(',"url":' || to_json("e"."url")::text, '')
        || ',"participation_status":' || to_json("e"."participation_status")::text
        || ',"attendees":' || "e"."attendees"::text
        || ',"transparency":"' || "e"."transparency" || '","extended_transparency":"' || "e"."transparency" || '"'
        || ',"event_private":' || "e"."private"::text
        || ',"organizer":' || coalesce("e"."organizer"::text, 'null')
        || ',"status":' || to_json("e"."status")::text
        || ',"categories":' || "e"."categories"::text
        || ',"created":"' || to_char("e"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '"';
END $$;
CREATE FUNCTION render_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."rendered" := "rendered_event"(NEW);
    RETURN NEW;
END $$;
CREATE TRIGGER events_rendered BEFORE INSERT OR UPDATE OF calendar_id, event_id, summary, description, location, url, participation_status,
    attendees, transparency, private, organizer, status, categories, created_at ON events FOR EACH ROW EXECUTE FUNCTION render_event();

-- A profile has its row of `profile_syncs` from the start, and that row knows what a claim has to know of the profile. Mailboxes of a disabled
-- application are not read (ADR 67): that part of `readable` does not change when something else of a profile does.
CREATE FUNCTION keep_profile_sync() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "profile_syncs" ("profile_id", "application_id", "provider", "readable", "first_sync")
        VALUES (NEW."id", NEW."application_id", NEW."provider", NEW."connected" AND NEW."credential" IS NOT NULL
            AND EXISTS (SELECT FROM "applications" a WHERE a."id" = NEW."application_id" AND a."disabled_at" IS NULL), NEW."initial_sync_required");
    ELSIF NEW."connected" = OLD."connected" AND NEW."credential" IS NULL = (OLD."credential" IS NULL) THEN
        UPDATE "profile_syncs" SET "first_sync" = NEW."initial_sync_required" WHERE "profile_id" = NEW."id";
    ELSE
        UPDATE "profile_syncs" SET "readable" = NEW."connected" AND NEW."credential" IS NOT NULL
            AND EXISTS (SELECT FROM "applications" a WHERE a."id" = NEW."application_id" AND a."disabled_at" IS NULL), "first_sync" = NEW."initial_sync_required"
        WHERE "profile_id" = NEW."id";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER profiles_inserted AFTER INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION keep_profile_sync();
CREATE TRIGGER profiles_updated AFTER UPDATE OF connected, credential, initial_sync_required ON profiles FOR EACH ROW
    WHEN (NEW.connected <> OLD.connected OR NEW.credential IS NULL <> (OLD.credential IS NULL) OR NEW.initial_sync_required <> OLD.initial_sync_required)
    EXECUTE FUNCTION keep_profile_sync();

-- The disconnected and the failing mailboxes know when their account was created, for the order of staff's list of accounts. Seldom, and after
-- the row is written: for a trigger before it, PostgreSQL would lock each row first, at every update of the table.
CREATE FUNCTION note_account_of_disconnected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "profiles" SET "disconnected_account_created_at" =
        CASE WHEN NOT NEW."connected" THEN (SELECT "created_at" FROM "accounts" WHERE "id" = NEW."account_id") END
    WHERE "id" = NEW."id";
    RETURN NULL;
END $$;
CREATE TRIGGER profiles_disconnected AFTER INSERT OR UPDATE OF connected ON profiles FOR EACH ROW
    WHEN (NEW.connected = (NEW.disconnected_account_created_at IS NOT NULL)) EXECUTE FUNCTION note_account_of_disconnected();
CREATE FUNCTION note_account_of_failing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."failing_account_id" IS NOT NULL THEN
        UPDATE "profile_syncs" SET "failing_account_id" = NULL, "failing_account_created_at" = NULL WHERE "profile_id" = NEW."profile_id";
    ELSE
        UPDATE "profile_syncs" s SET "failing_account_id" = a."id", "failing_account_created_at" = a."created_at"
        FROM "profiles" p JOIN "accounts" a ON a."id" = p."account_id" WHERE s."profile_id" = NEW."profile_id" AND p."id" = NEW."profile_id";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER profile_syncs_failing AFTER INSERT OR UPDATE OF readable, sync_failures ON profile_syncs FOR EACH ROW
    WHEN ((NEW.readable AND NEW.sync_failures >= 3) <> (NEW.failing_account_id IS NOT NULL)) EXECUTE FUNCTION note_account_of_failing();

-- For statements that have waited for a lock: a query of a volatile function sees what was committed by then.
CREATE FUNCTION profile_connected_now(profile text) RETURNS boolean LANGUAGE plpgsql VOLATILE STRICT AS $$
BEGIN
    RETURN (SELECT "connected" FROM "profiles" WHERE "id" = "profile");
END $$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are only ever added';
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
