-- What the tables of schema.prisma have in a migrated database, as PostgreSQL prints it: every index, check, trigger, function, storage
-- parameter and partition. Generated from prisma/migrations: renew it with
-- RENEW=1 npx vitest run --config tests/vitest.config.ts --project embedded tests/api/db/drift.test.ts

-- access_tokens
CREATE INDEX access_tokens_expires_at_idx ON access_tokens USING btree (expires_at);
CREATE INDEX access_tokens_grant_id_idx ON access_tokens USING btree (grant_id);
CREATE UNIQUE INDEX access_tokens_pkey ON access_tokens USING btree (hash);

-- account_notes
CREATE INDEX account_notes_account_id_created_at_id_idx ON account_notes USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX account_notes_pkey ON account_notes USING btree (id);

-- accounts
CREATE INDEX accounts_application_id_created_at_idx ON accounts USING btree (application_id, created_at);
CREATE INDEX accounts_calendar_name ON accounts USING btree (application_calendar_id text_pattern_ops) WHERE application_calendar_id IS NOT NULL;
CREATE INDEX accounts_email_prefix ON accounts USING btree (lower(email) text_pattern_ops);
CREATE INDEX accounts_name ON accounts USING btree ("left"(lower(COALESCE(application_calendar_id, NULLIF(email, ''::text), name)), 100) COLLATE "C", id);
CREATE INDEX accounts_name_of_application ON accounts USING btree (application_id, "left"(lower(COALESCE(application_calendar_id, NULLIF(email, ''::text), name)), 100) COLLATE "C", id);
CREATE INDEX accounts_newest ON accounts USING btree (created_at, id);
CREATE UNIQUE INDEX accounts_open_application_calendar ON accounts USING btree (application_id, application_calendar_id) WHERE revoked_at IS NULL AND application_calendar_id IS NOT NULL;
CREATE UNIQUE INDEX accounts_pkey ON accounts USING btree (id);

-- alert_looks
CREATE UNIQUE INDEX alert_looks_pkey ON alert_looks USING btree (one);

-- alert_messages
CREATE INDEX alert_messages_created_at_idx ON alert_messages USING btree (created_at);
CREATE INDEX alert_messages_due_at_idx ON alert_messages USING btree (due_at);
CREATE UNIQUE INDEX alert_messages_pkey ON alert_messages USING btree (id);
CREATE INDEX alert_messages_scope_created_at_idx ON alert_messages USING btree (scope, created_at);

-- alert_rules
CREATE UNIQUE INDEX alert_rules_pkey ON alert_rules USING btree (scope, kind);

-- alert_targets
CREATE UNIQUE INDEX alert_targets_pkey ON alert_targets USING btree (scope);

-- alerts
CREATE UNIQUE INDEX alerts_pkey ON alerts USING btree (scope, kind, subject);

-- application_brandings
CREATE INDEX application_brandings_logo_hash_idx ON application_brandings USING btree (logo_hash);
CREATE UNIQUE INDEX application_brandings_pkey ON application_brandings USING btree (application_id);

-- application_members
CREATE INDEX application_members_application_id_idx ON application_members USING btree (application_id);
CREATE UNIQUE INDEX application_members_pkey ON application_members USING btree (operator_id, application_id);

-- applications
CREATE UNIQUE INDEX applications_client_id_key ON applications USING btree (client_id);
CREATE UNIQUE INDEX applications_pkey ON applications USING btree (id);

-- attempts, by RANGE (started_at)
CREATE INDEX attempts_of_channel ON ONLY attempts USING btree (channel_id, started_at) INCLUDE (duration_ms, status) WHERE channel_id IS NOT NULL;
CREATE UNIQUE INDEX attempts_pkey ON ONLY attempts USING btree (delivery_id, number, started_at);

-- attempts_rest
CREATE TABLE attempts_rest PARTITION OF attempts DEFAULT;

-- audit_entries
CREATE INDEX audit_entries_action_at_id_idx ON audit_entries USING btree (action, at, id);
CREATE INDEX audit_entries_object_at_idx ON audit_entries USING btree (object, at);
CREATE INDEX audit_entries_operator_id_action_at_id_idx ON audit_entries USING btree (operator_id, action, at, id);
CREATE UNIQUE INDEX audit_entries_pkey ON audit_entries USING btree (id);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- booking_calendars
CREATE INDEX booking_calendars_booking_id_idx ON booking_calendars USING btree (booking_id);
CREATE INDEX booking_calendars_elsewhere ON booking_calendars USING btree (calendar_id) WHERE held_until IS NULL AND event_calendar_id <> calendar_id;
CREATE INDEX booking_calendars_held ON booking_calendars USING btree (calendar_id) WHERE held_until IS NOT NULL;
CREATE UNIQUE INDEX booking_calendars_pkey ON booking_calendars USING btree (calendar_id, booking_id);

-- bookings
CREATE UNIQUE INDEX bookings_calendar_id_event_id_key ON bookings USING btree (calendar_id, event_id);
CREATE UNIQUE INDEX bookings_event_row_key ON bookings USING btree (event_row);
CREATE INDEX bookings_held ON bookings USING btree (held_until) WHERE held_until IS NOT NULL;
CREATE UNIQUE INDEX bookings_pkey ON bookings USING btree (id);

-- caldav_servers
CREATE UNIQUE INDEX caldav_servers_application_id_url_key ON caldav_servers USING btree (application_id, url);
CREATE UNIQUE INDEX caldav_servers_pkey ON caldav_servers USING btree (id);

-- calendar_days
ALTER TABLE calendar_days ADD CONSTRAINT calendar_days_counts CHECK (live >= 0 AND declined >= 0 AND deleted >= 0);
CREATE UNIQUE INDEX calendar_days_pkey ON calendar_days USING btree (calendar_id, day, all_day, managed);

-- calendar_feeds
CREATE INDEX calendar_feeds_calendar_id_created_at_idx ON calendar_feeds USING btree (calendar_id, created_at);
CREATE UNIQUE INDEX calendar_feeds_pkey ON calendar_feeds USING btree (id);
CREATE UNIQUE INDEX calendar_feeds_token_hash_key ON calendar_feeds USING btree (token_hash);

-- calendar_months
ALTER TABLE calendar_months ADD CONSTRAINT calendar_months_counts CHECK (live >= 0 AND declined >= 0 AND deleted >= 0);
CREATE UNIQUE INDEX calendar_months_pkey ON calendar_months USING btree (calendar_id, month, all_day, managed);

-- calendars
CREATE UNIQUE INDEX calendars_account_id_number_key ON calendars USING btree (account_id, number);
CREATE UNIQUE INDEX calendars_pkey ON calendars USING btree (id);
CREATE UNIQUE INDEX calendars_profile_id_external_id_key ON calendars USING btree (profile_id, external_id);
CREATE INDEX calendars_to_continue ON calendars USING btree (covered_until) WHERE covered_until IS NOT NULL;

-- channels
CREATE INDEX channels_account_id_created_at_idx ON channels USING btree (account_id, created_at);
CREATE INDEX channels_failing ON channels USING btree (created_at, id) WHERE failing AND closed_at IS NULL;
CREATE INDEX channels_newest ON channels USING btree (created_at, id);
CREATE INDEX channels_of_domain ON channels USING btree (reverse(lower(regexp_replace("substring"(callback_url, '^[^:]*://([^/?#]*)'::text), '\.?(:443)?$'::text, ''::text))) text_pattern_ops);
CREATE INDEX channels_of_endpoint ON channels USING btree ((lower(regexp_replace("substring"(callback_url, '^[^:]*://([^/?#]*)'::text), '\.?(:443)?$'::text, ''::text)) || COALESCE("substring"(callback_url, '^[^:]*://[^/?#]*(/[^?#]*)'::text), ''::text)) text_pattern_ops);
CREATE INDEX channels_of_host ON channels USING btree (lower(regexp_replace("substring"(callback_url, '^[^:]*://([^/?#]*)'::text), '\.?(:443)?$'::text, ''::text)));
CREATE INDEX channels_of_path ON channels USING btree (COALESCE("substring"(callback_url, '^[^:]*://[^/?#]*(/[^?#]*)'::text), ''::text) text_pattern_ops);
CREATE INDEX channels_open ON channels USING btree (account_id) WHERE closed_at IS NULL;
CREATE INDEX channels_path_segments ON channels USING gin (string_to_array(COALESCE("substring"(callback_url, '^[^:]*://[^/?#]*(/[^?#]*)'::text), ''::text), '/'::text));
CREATE INDEX channels_paused ON channels USING btree (created_at, id) WHERE paused_at IS NOT NULL AND closed_at IS NULL;
CREATE UNIQUE INDEX channels_pkey ON channels USING btree (id);

-- chores
CREATE UNIQUE INDEX chores_pkey ON chores USING btree (id);

-- client_secrets
CREATE INDEX client_secrets_application_id_idx ON client_secrets USING btree (application_id);
CREATE INDEX client_secrets_digest_idx ON client_secrets USING btree (digest);
CREATE UNIQUE INDEX client_secrets_pkey ON client_secrets USING btree (id);

-- codes
CREATE INDEX codes_account_id_idx ON codes USING btree (account_id);
CREATE INDEX codes_expires_at_idx ON codes USING btree (expires_at);
CREATE UNIQUE INDEX codes_pkey ON codes USING btree (hash);

-- delegations
CREATE INDEX delegations_application_id_idx ON delegations USING btree (application_id);
CREATE UNIQUE INDEX delegations_pkey ON delegations USING btree (id);

-- deleted_client_ids
CREATE UNIQUE INDEX deleted_client_ids_pkey ON deleted_client_ids USING btree (client_id);

-- deliveries, by LIST (state)
CREATE INDEX deliveries_application_id_created_at_idx ON ONLY deliveries USING btree (application_id, created_at);
CREATE INDEX deliveries_channel_id_created_at_idx ON ONLY deliveries USING btree (channel_id, created_at);
CREATE INDEX deliveries_created_at_idx ON ONLY deliveries USING btree (created_at);
CREATE UNIQUE INDEX deliveries_pkey ON ONLY deliveries USING btree (id, state, created_at);
CREATE INDEX deliveries_rare_types ON ONLY deliveries USING btree (created_at, id) INCLUDE (type, state, last_error, last_status, application_id, channel_id) WHERE type <> 'change'::text;

-- deliveries_history, by RANGE (created_at)
CREATE TABLE deliveries_history PARTITION OF deliveries FOR VALUES IN ('delivered', 'failed', 'cancelled');
CREATE INDEX deliveries_failed ON ONLY deliveries_history USING btree (finished_at) INCLUDE (application_id) WHERE state = 'failed'::delivery_state AND NOT test;
CREATE INDEX deliveries_not_delivered ON ONLY deliveries_history USING btree (created_at, id) INCLUDE (state, last_error, last_status, type, application_id, channel_id) WHERE state = ANY (ARRAY['failed'::delivery_state, 'cancelled'::delivery_state]);

-- deliveries_queue
CREATE TABLE deliveries_queue PARTITION OF deliveries FOR VALUES IN ('pending');
CREATE INDEX deliveries_due ON deliveries_queue USING btree (next_attempt_at) WHERE state = 'pending'::delivery_state;
CREATE INDEX deliveries_last_attempt ON deliveries_queue USING btree (next_attempt_at) WHERE state = 'pending'::delivery_state AND attempts >= 10;
CREATE INDEX deliveries_leased ON deliveries_queue USING btree (leased_until, application_id, host) WHERE state = 'pending'::delivery_state AND leased_until IS NOT NULL;
CREATE INDEX deliveries_of_receiver ON deliveries_queue USING btree (application_id, host, next_attempt_at) WHERE state = 'pending'::delivery_state;
CREATE INDEX deliveries_pending_of_account ON deliveries_queue USING btree (account_id) WHERE state = 'pending'::delivery_state;
CREATE INDEX deliveries_ready ON deliveries_queue USING btree (application_id, host, next_attempt_at) WHERE state = 'pending'::delivery_state AND NOT waits AND next_attempt_at IS NOT NULL;
CREATE INDEX deliveries_replayed ON deliveries_queue USING btree (replay_id) WHERE state = 'pending'::delivery_state AND replay_from IS NOT NULL;
CREATE INDEX deliveries_retrying ON deliveries_queue USING btree (created_at) INCLUDE (id, channel_id, application_id, attempts, last_status, last_error) WHERE state = 'pending'::delivery_state AND (last_error IS NOT NULL OR last_status < 200 OR last_status > 299);
CREATE INDEX deliveries_waiting ON deliveries_queue USING btree (( CASE WHEN waits THEN next_attempt_at ELSE NULL::timestamp with time zone END)) WHERE state = 'pending'::delivery_state AND waits;

-- deliveries_rest
CREATE TABLE deliveries_rest PARTITION OF deliveries_history DEFAULT;

-- delivery_hosts
ALTER TABLE delivery_hosts SET (autovacuum_vacuum_threshold = 1000, fillfactor = 50);
CREATE UNIQUE INDEX delivery_hosts_pkey ON delivery_hosts USING btree (host);

-- event_changes
CREATE INDEX event_changes_at_idx ON event_changes USING brin (at);
CREATE INDEX event_changes_calendar_id_at_idx ON event_changes USING btree (calendar_id, at);
CREATE UNIQUE INDEX event_changes_pkey ON event_changes USING btree (calendar_id, number);

-- events
ALTER TABLE events SET (toast_tuple_target = 4080);
ALTER TABLE events ADD CONSTRAINT events_span CHECK (ends >= starts);
ALTER TABLE events ADD CONSTRAINT events_transparency CHECK (transparency = ANY (ARRAY['opaque'::text, 'transparent'::text]));
CREATE INDEX events_calendar_id_external_id_idx ON events USING btree (calendar_id, external_id);
CREATE INDEX events_content_changed ON events USING btree (calendar_id, content_changed_at) WHERE content_changed_at IS NOT NULL;
CREATE INDEX events_deleted_event_id ON events USING btree (event_id, calendar_id, deleted_at) WHERE deleted_at IS NOT NULL AND event_id IS NOT NULL;
CREATE INDEX events_deleted_id ON events USING btree (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX events_event_id ON events USING btree (event_id) WHERE event_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX events_link_due ON events USING btree (calendar_id, link_due_at) WHERE link_due_at IS NOT NULL;
CREATE UNIQUE INDEX events_living_event_id ON events USING btree (calendar_id, event_id) WHERE deleted_at IS NULL AND event_id IS NOT NULL;
CREATE INDEX events_living_id ON events USING btree (id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX events_pkey ON events USING btree (calendar_id, id);
CREATE INDEX events_to_continue ON events USING btree (calendar_id, covered_until) WHERE covered_until IS NOT NULL AND deleted_at IS NULL;
CREATE TRIGGER events_changed AFTER UPDATE OF summary, description, location, url, starts, ends, all_day, tzid, transparency, private, status, participation_status, organizer, attendees, categories, conferencing, recurrence, ical_recurrence, deleted_at ON events FOR EACH ROW WHEN (new.updated_at IS DISTINCT FROM old.updated_at AND (new.deleted_at IS NULL OR old.deleted_at IS NULL)) EXECUTE FUNCTION note_changed_event();
CREATE TRIGGER events_created AFTER INSERT ON events REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION note_created_events();
CREATE TRIGGER events_rendered BEFORE INSERT OR UPDATE OF calendar_id, event_id, summary, description, location, url, participation_status, attendees, transparency, private, organizer, status, categories, created_at ON events FOR EACH ROW EXECUTE FUNCTION render_event();

-- firings
CREATE INDEX firings_at_idx ON firings USING brin (at);
CREATE UNIQUE INDEX firings_pkey ON firings USING btree (trigger_id, uid);

-- grants
CREATE INDEX grants_account_id_idx ON grants USING btree (account_id);
CREATE UNIQUE INDEX grants_pkey ON grants USING btree (id);
CREATE UNIQUE INDEX grants_refresh_hash_key ON grants USING btree (refresh_hash);

-- invitation_applications
CREATE INDEX invitation_applications_application_id_idx ON invitation_applications USING btree (application_id);
CREATE UNIQUE INDEX invitation_applications_pkey ON invitation_applications USING btree (invitation_id, application_id);

-- invitations
CREATE INDEX invitations_email_idx ON invitations USING btree (email);
CREATE UNIQUE INDEX invitations_pkey ON invitations USING btree (id);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations USING btree (token_hash);

-- link_tokens
CREATE INDEX link_tokens_account_id_idx ON link_tokens USING btree (account_id);
CREATE INDEX link_tokens_expires_at_idx ON link_tokens USING btree (expires_at);
CREATE UNIQUE INDEX link_tokens_pkey ON link_tokens USING btree (hash);

-- maintenance_switches
CREATE UNIQUE INDEX maintenance_switches_application_id_key ON maintenance_switches USING btree (application_id);
CREATE UNIQUE INDEX maintenance_switches_pkey ON maintenance_switches USING btree (id);

-- oauth_clients
CREATE INDEX oauth_clients_application_id_idx ON oauth_clients USING btree (application_id);
CREATE UNIQUE INDEX oauth_clients_current_key ON oauth_clients USING btree (application_id, provider) WHERE replaced_at IS NULL;
CREATE UNIQUE INDEX oauth_clients_pkey ON oauth_clients USING btree (id);

-- occurrences
ALTER TABLE occurrences ADD CONSTRAINT occurrences_free_busy CHECK (free_busy = ANY (ARRAY['busy'::text, 'tentative'::text, 'free'::text]));
ALTER TABLE occurrences ADD CONSTRAINT occurrences_long_means_long CHECK (is_long = ((ends - starts) > '24:00:00'::interval));
ALTER TABLE occurrences ADD CONSTRAINT occurrences_span CHECK (ends >= starts);
ALTER TABLE occurrences ADD CONSTRAINT occurrences_state CHECK (state = ANY (ARRAY[0, 1, 2]));
CREATE INDEX occurrences_calendar_id_master_id_day_idx ON occurrences USING btree (calendar_id, master_id, day);
CREATE INDEX occurrences_calendar_id_updated_at_idx ON occurrences USING btree (calendar_id, updated_at);
CREATE INDEX occurrences_long ON occurrences USING btree (calendar_id, all_day, managed, width_bucket(ends - starts, '{96:00:00,384:00:00,1536:00:00,6144:00:00}'::interval[]), starts, uid) INCLUDE (ends, state) WHERE is_long;
CREATE INDEX occurrences_of_series_uid ON occurrences USING hash (uid) WHERE uid <> master_id;
CREATE UNIQUE INDEX occurrences_pkey ON occurrences USING btree (calendar_id, uid);
CREATE INDEX occurrences_window ON occurrences USING btree (calendar_id, all_day, managed, starts, uid) INCLUDE (ends, state) WHERE state <> 2;
CREATE INDEX occurrences_window_deleted ON occurrences USING btree (calendar_id, all_day, managed, starts, uid) INCLUDE (ends, state) WHERE state <> 0 AND state <> 1;
CREATE TRIGGER occurrences_deleted AFTER DELETE ON occurrences REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_occurrences();
CREATE TRIGGER occurrences_inserted AFTER INSERT ON occurrences REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_occurrences();
CREATE TRIGGER occurrences_updated AFTER UPDATE ON occurrences REFERENCING OLD TABLE AS removed NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_updated_occurrences();

-- operator_recovery_codes
CREATE UNIQUE INDEX operator_recovery_codes_pkey ON operator_recovery_codes USING btree (operator_id, digest);

-- operator_second_factors
CREATE UNIQUE INDEX operator_second_factors_pkey ON operator_second_factors USING btree (operator_id);

-- operator_sessions
CREATE INDEX operator_sessions_operator_id_created_at_idx ON operator_sessions USING btree (operator_id, created_at);
CREATE UNIQUE INDEX operator_sessions_pkey ON operator_sessions USING btree (id);

-- operators
CREATE UNIQUE INDEX operators_email_key ON operators USING btree (email);
CREATE UNIQUE INDEX operators_pkey ON operators USING btree (id);

-- outbox
CREATE INDEX outbox_account_id_idx ON outbox USING btree (account_id);
CREATE INDEX outbox_kind_due_at_idx ON outbox USING btree (kind, due_at);
CREATE INDEX outbox_notify ON outbox USING btree (due_at) WHERE kind = ANY (ARRAY['change'::text, 'verification'::text, 'profile_disconnected'::text, 'profile_initial_sync_completed'::text, 'write_refused'::text, 'trigger'::text]);
CREATE UNIQUE INDEX outbox_pkey ON outbox USING btree (id);

-- profile_syncs
CREATE INDEX profile_syncs_due ON profile_syncs USING btree (provider, first_sync, sync_due_at) WHERE readable;
CREATE INDEX profile_syncs_failing ON profile_syncs USING btree (profile_id) WHERE readable AND sync_failures >= 3;
CREATE INDEX profile_syncs_failing_newest ON profile_syncs USING btree (failing_account_created_at, failing_account_id) WHERE failing_account_created_at IS NOT NULL;
CREATE INDEX profile_syncs_failing_of_application ON profile_syncs USING btree (application_id, failing_account_created_at, failing_account_id) WHERE failing_account_created_at IS NOT NULL;
CREATE INDEX profile_syncs_of_application_due ON profile_syncs USING btree (provider, application_id, sync_slow, sync_due_at) WHERE readable AND NOT first_sync;
CREATE INDEX profile_syncs_of_application_first ON profile_syncs USING btree (provider, application_id, sync_due_at) WHERE readable AND first_sync;
CREATE UNIQUE INDEX profile_syncs_pkey ON profile_syncs USING btree (profile_id);
CREATE INDEX profile_syncs_throttled ON profile_syncs USING btree (throttled_until) WHERE throttled_until IS NOT NULL;
CREATE TRIGGER profile_syncs_failing AFTER INSERT OR UPDATE OF readable, sync_failures ON profile_syncs FOR EACH ROW WHEN ((new.readable AND new.sync_failures >= 3) <> (new.failing_account_id IS NOT NULL)) EXECUTE FUNCTION note_account_of_failing();

-- profiles
CREATE INDEX profiles_account_id_idx ON profiles USING btree (account_id);
CREATE UNIQUE INDEX profiles_application_id_provider_subject_key ON profiles USING btree (application_id, provider, subject);
CREATE INDEX profiles_delegation ON profiles USING btree (delegation_id) WHERE delegation_id IS NOT NULL;
CREATE INDEX profiles_disconnected ON profiles USING btree (account_id) WHERE NOT connected;
CREATE INDEX profiles_disconnected_newest ON profiles USING btree (disconnected_account_created_at, account_id) WHERE disconnected_account_created_at IS NOT NULL;
CREATE INDEX profiles_disconnected_of_application ON profiles USING btree (application_id, disconnected_account_created_at, account_id) WHERE disconnected_account_created_at IS NOT NULL;
CREATE UNIQUE INDEX profiles_pkey ON profiles USING btree (id);
CREATE TRIGGER profiles_disconnected AFTER INSERT OR UPDATE OF connected ON profiles FOR EACH ROW WHEN (new.connected = (new.disconnected_account_created_at IS NOT NULL)) EXECUTE FUNCTION note_account_of_disconnected();
CREATE TRIGGER profiles_inserted AFTER INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION keep_profile_sync();
CREATE TRIGGER profiles_updated AFTER UPDATE OF connected, credential, initial_sync_required ON profiles FOR EACH ROW WHEN (new.connected <> old.connected OR (new.credential IS NULL) <> (old.credential IS NULL) OR new.initial_sync_required <> old.initial_sync_required) EXECUTE FUNCTION keep_profile_sync();

-- provider_budgets
CREATE UNIQUE INDEX provider_budgets_pkey ON provider_budgets USING btree (quota);

-- provider_pauses
CREATE UNIQUE INDEX provider_pauses_pkey ON provider_pauses USING btree (provider);

-- provider_revocations
CREATE INDEX provider_revocations_due_at_idx ON provider_revocations USING btree (due_at);
CREATE UNIQUE INDEX provider_revocations_pkey ON provider_revocations USING btree (profile_id);

-- provider_sign_ins
CREATE INDEX provider_sign_ins_expires_at_idx ON provider_sign_ins USING btree (expires_at);
CREATE UNIQUE INDEX provider_sign_ins_pkey ON provider_sign_ins USING btree (state_hash);

-- provider_tokens
CREATE UNIQUE INDEX provider_tokens_pkey ON provider_tokens USING btree (profile_id);

-- provider_watches
CREATE INDEX provider_watches_calendar_id_idx ON provider_watches USING btree (calendar_id);
CREATE UNIQUE INDEX provider_watches_pkey ON provider_watches USING btree (channel);
CREATE INDEX provider_watches_profile_id_idx ON provider_watches USING btree (profile_id);

-- provider_writes
CREATE INDEX provider_writes_account_id_idx ON provider_writes USING btree (account_id);
CREATE UNIQUE INDEX provider_writes_calendar_id_event_row_key ON provider_writes USING btree (calendar_id, event_row);
CREATE INDEX provider_writes_due ON provider_writes USING btree (due_at) WHERE refused_at IS NULL AND NOT suspended;
CREATE INDEX provider_writes_leased ON provider_writes USING btree (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX provider_writes_of_profile ON provider_writes USING btree (profile_id, due_at) WHERE refused_at IS NULL AND NOT suspended;
CREATE UNIQUE INDEX provider_writes_pkey ON provider_writes USING btree (id);
CREATE INDEX provider_writes_refused ON provider_writes USING btree (account_id) WHERE refused_at IS NOT NULL;
CREATE INDEX provider_writes_suspended ON provider_writes USING btree (profile_id) WHERE suspended;

-- redirect_uris
CREATE UNIQUE INDEX redirect_uris_pkey ON redirect_uris USING btree (application_id, uri);

-- replay_tallies
CREATE UNIQUE INDEX replay_tallies_pkey ON replay_tallies USING btree (replay_id);

-- replays
CREATE INDEX replays_created_at_idx ON replays USING btree (created_at);
CREATE UNIQUE INDEX replays_pkey ON replays USING btree (id);
CREATE INDEX replays_running ON replays USING btree (due_at) WHERE state = 'running'::replay_work_state;

-- request_counts
ALTER TABLE request_counts SET (fillfactor = 70);
CREATE UNIQUE INDEX request_counts_pkey ON request_counts USING btree (minute, application_id);

-- request_counts_by_hour
ALTER TABLE request_counts_by_hour SET (fillfactor = 70);
CREATE UNIQUE INDEX request_counts_by_hour_pkey ON request_counts_by_hour USING btree (hour, application_id);

-- request_logs, by RANGE (expires_on)
CREATE INDEX request_logs_account_id_at_idx ON ONLY request_logs USING btree (account_id, at);
CREATE INDEX request_logs_application_id_at_idx ON ONLY request_logs USING btree (application_id, at);
CREATE INDEX request_logs_at_idx ON ONLY request_logs USING btree (at);
CREATE INDEX request_logs_event_keys ON ONLY request_logs USING gin (event_keys) WITH (gin_pending_list_limit='512') WHERE event_keys IS NOT NULL;
CREATE INDEX request_logs_facets ON ONLY request_logs USING gin (request_facets(method, endpoint, path, status, application_id, error_keys)) WITH (gin_pending_list_limit='512');
CREATE UNIQUE INDEX request_logs_pkey ON ONLY request_logs USING btree (id, expires_on);
CREATE INDEX request_logs_request_id_idx ON ONLY request_logs USING btree (request_id);

-- request_tallies
CREATE UNIQUE INDEX request_tallies_pkey ON request_tallies USING btree (id);

-- saved_views
CREATE UNIQUE INDEX saved_views_operator_id_list_name_key ON saved_views USING btree (operator_id, list, name);
CREATE UNIQUE INDEX saved_views_pkey ON saved_views USING btree (id);

-- seen_changes
CREATE INDEX seen_changes_minute_idx ON seen_changes USING brin (minute);
CREATE UNIQUE INDEX seen_changes_pkey ON seen_changes USING btree (account_id, minute, calendar_id, managed);

-- service_account_authorizations
CREATE INDEX service_account_authorizations_application_id_created_at_idx ON service_account_authorizations USING btree (application_id, created_at);
CREATE INDEX service_account_authorizations_created_at_idx ON service_account_authorizations USING btree (created_at);
CREATE INDEX service_account_authorizations_due ON service_account_authorizations USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX service_account_authorizations_pkey ON service_account_authorizations USING btree (id);

-- skipped_resources
CREATE UNIQUE INDEX skipped_resources_pkey ON skipped_resources USING btree (calendar_id, external_id);

-- triggers
CREATE INDEX triggers_account_id_created_at_idx ON triggers USING btree (account_id, created_at);
CREATE UNIQUE INDEX triggers_channel_id_key ON triggers USING btree (channel_id);
CREATE UNIQUE INDEX triggers_pkey ON triggers USING btree (id);

-- Functions

CREATE OR REPLACE FUNCTION count_deleted_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION count_inserted_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION count_updated_occurrences()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION exceptions_by_day(recurrence jsonb, ical jsonb)
 RETURNS TABLE(day date, says jsonb, is_reply boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT (d #>> '{}')::date, '"skipped"'::jsonb, false FROM jsonb_array_elements(recurrence -> 'skipped') d
    UNION ALL SELECT (c ->> 'day')::date, c, false FROM jsonb_array_elements(recurrence -> 'changed') c
    UNION ALL SELECT (r ->> 'day')::date, r, true FROM jsonb_array_elements(coalesce(recurrence -> 'replies', '[]')) r
    UNION ALL SELECT '1970-01-01'::date + floor((o ->> 'recurrenceId')::numeric / 86400000)::int, o, false
        FROM jsonb_array_elements(ical -> 'overrides') o
$function$;

CREATE OR REPLACE FUNCTION keep_profile_sync()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION note_account_of_disconnected()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE "profiles" SET "disconnected_account_created_at" =
        CASE WHEN NOT NEW."connected" THEN (SELECT "created_at" FROM "accounts" WHERE "id" = NEW."account_id") END
    WHERE "id" = NEW."id";
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION note_account_of_failing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NEW."failing_account_id" IS NOT NULL THEN
        UPDATE "profile_syncs" SET "failing_account_id" = NULL, "failing_account_created_at" = NULL WHERE "profile_id" = NEW."profile_id";
    ELSE
        UPDATE "profile_syncs" s SET "failing_account_id" = a."id", "failing_account_created_at" = a."created_at"
        FROM "profiles" p JOIN "accounts" a ON a."id" = p."account_id" WHERE s."profile_id" = NEW."profile_id" AND p."id" = NEW."profile_id";
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION note_changed_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    changed text[] := '{}';
    change text := 'updated';
    days date[];
    one_day date;
    only_replies boolean := true;
BEGIN
    IF new.deleted_at IS NOT NULL THEN
        change := 'deleted';
    ELSIF old.deleted_at IS NOT NULL THEN
        change := 'created';
    ELSE
        IF new.recurrence IS DISTINCT FROM old.recurrence OR new.ical_recurrence IS DISTINCT FROM old.ical_recurrence THEN
            SELECT array_agg(DISTINCT d.day), coalesce(bool_and(d.is_reply), false) INTO days, only_replies FROM (
                (SELECT * FROM exceptions_by_day(new.recurrence, new.ical_recurrence) EXCEPT SELECT * FROM exceptions_by_day(old.recurrence, old.ical_recurrence))
                UNION ALL
                (SELECT * FROM exceptions_by_day(old.recurrence, old.ical_recurrence) EXCEPT SELECT * FROM exceptions_by_day(new.recurrence, new.ical_recurrence))) d;
            -- The rule has changed too: it is no change of days.
            IF (new.recurrence - '{skipped,changed,replies}'::text[]) IS DISTINCT FROM (old.recurrence - '{skipped,changed,replies}'::text[])
                OR (new.ical_recurrence - 'overrides') IS DISTINCT FROM (old.ical_recurrence - 'overrides') THEN
                days := NULL;
                only_replies := false;
            END IF;
        END IF;
        changed := array_remove(ARRAY[
            CASE WHEN new.summary IS DISTINCT FROM old.summary THEN 'summary' END,
            CASE WHEN new.description IS DISTINCT FROM old.description THEN 'description' END,
            CASE WHEN new.location IS DISTINCT FROM old.location THEN 'location' END,
            CASE WHEN new.url IS DISTINCT FROM old.url THEN 'url' END,
            CASE WHEN (new.starts, new.all_day) IS DISTINCT FROM (old.starts, old.all_day) THEN 'start' END,
            CASE WHEN (new.ends, new.all_day) IS DISTINCT FROM (old.ends, old.all_day) THEN 'end' END,
            CASE WHEN new.tzid IS DISTINCT FROM old.tzid THEN 'tzid' END,
            CASE WHEN new.transparency IS DISTINCT FROM old.transparency THEN 'transparency' END,
            CASE WHEN new.private IS DISTINCT FROM old.private THEN 'event_private' END,
            CASE WHEN new.status IS DISTINCT FROM old.status THEN 'status' END,
            CASE WHEN new.participation_status IS DISTINCT FROM old.participation_status THEN 'participation_status' END,
            CASE WHEN new.organizer IS DISTINCT FROM old.organizer THEN 'organizer' END,
            CASE WHEN new.attendees IS DISTINCT FROM old.attendees OR (only_replies AND days IS NOT NULL) THEN 'attendees' END,
            CASE WHEN new.categories IS DISTINCT FROM old.categories THEN 'categories' END,
            CASE WHEN new.conferencing IS DISTINCT FROM old.conferencing THEN 'conferencing' END,
            CASE WHEN NOT only_replies THEN 'recurrence' END], NULL);
        IF changed = '{}' THEN
            RETURN NULL;
        ELSIF changed = '{conferencing}' AND old.conferencing ? 'pending' AND new.conferencing ? 'join_url' THEN
            change := 'link_added';
        ELSIF changed <@ '{attendees,participation_status}'
            AND jsonb_path_query_array(new.attendees, '$[*].email') = jsonb_path_query_array(old.attendees, '$[*].email') THEN
            change := 'replied';
        END IF;
        IF array_length(days, 1) = 1 AND changed <@ '{recurrence,attendees}' AND new.attendees = old.attendees THEN
            one_day := days[1];
        END IF;
    END IF;
    INSERT INTO event_changes (calendar_id, event_row, at, kind, fields, own, occurrence_date)
    VALUES (new.calendar_id, new.id, new.updated_at, change, changed, new.written_at IS DISTINCT FROM old.written_at, one_day);
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION note_created_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO event_changes (calendar_id, event_row, at, kind, own)
    SELECT calendar_id, id, updated_at, 'created', written_at IS NOT NULL FROM inserted WHERE deleted_at IS NULL;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION profile_access_now(profile text)
 RETURNS text
 LANGUAGE plpgsql
 STRICT
AS $function$
BEGIN
    RETURN (SELECT "access" FROM "profiles" WHERE "id" = "profile");
END $function$;

CREATE OR REPLACE FUNCTION profile_connected_now(profile text)
 RETURNS boolean
 LANGUAGE plpgsql
 STRICT
AS $function$
BEGIN
    RETURN (SELECT "connected" FROM "profiles" WHERE "id" = "profile");
END $function$;

CREATE OR REPLACE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'audit entries are only ever added';
END $function$;

CREATE OR REPLACE FUNCTION render_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW."rendered" := "rendered_event"(NEW);
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION rendered_event(e events)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION request_facets(method text, endpoint text, path text, status smallint, application_id text, error_keys text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT array_remove(ARRAY["method" || ' ' || coalesce("endpoint", '') || ' ' || ("status" / 100)::text, "application_id",
        CASE WHEN "status" >= 300 THEN "status"::text END, CASE WHEN "status" >= 300 THEN ("status" / 100)::text || 'xx' END,
        CASE WHEN "endpoint" IS NULL THEN '=' || "path" WHEN "endpoint" LIKE '%{%' THEN '/' || split_part("path", '/', 4) END], NULL)
        || "error_keys"
$function$;

CREATE OR REPLACE FUNCTION walk_from(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE STRICT COST 4000
AS $function$
BEGIN
    RETURN "at";
END $function$;
