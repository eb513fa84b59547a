-- The pieces of time a message lies in: of one hour, 8, 64, 512 and 4,096. As keys of the search index they let a search
-- look at one piece alone, whatever its size: what a word costs then follows from the piece and not from the table.
CREATE FUNCTION message_slices(at timestamptz) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE hour constant integer := floor(extract(epoch FROM at) / 3600);
BEGIN
  RETURN ARRAY[hour, 100000000 + (hour >> 3), 200000000 + (hour >> 6), 300000000 + (hour >> 9), 400000000 + (hour >> 12)];
END $$;
--> statement-breakpoint
CREATE TABLE "connection_pace" (
	"tenant_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"sent_on" date,
	"sent_today" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_pace_tenant_id_connection_id_pk" PRIMARY KEY("tenant_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'DISCONNECTED' NOT NULL,
	"status_text" text,
	"status_at" timestamp (3) with time zone,
	"is_default" boolean DEFAULT false NOT NULL,
	"queue_id" uuid,
	"config" jsonb NOT NULL,
	"abilities" jsonb NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"proxy_id" uuid,
	"uses_session" boolean DEFAULT false NOT NULL,
	"login_code" text,
	"login_until" timestamp (3) with time zone,
	"check_due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"health" jsonb,
	"external_id" text,
	"farewell_message" text DEFAULT '' NOT NULL,
	"send_evaluation" boolean DEFAULT false NOT NULL,
	"channel_key" text,
	"hook_secret" text NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"last_inbound_at" timestamp (3) with time zone,
	"templates_due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connections_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "message_templates" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"category" text NOT NULL,
	"status" text NOT NULL,
	"components" jsonb NOT NULL,
	"synced_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_templates_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "connection_leases" (
	"tenant_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"renewed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_leases_tenant_id_connection_id_pk" PRIMARY KEY("tenant_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "session_calls" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"name" text NOT NULL,
	"target" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"answer" jsonb,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_calls_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "session_state" (
	"tenant_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_state_tenant_id_connection_id_name_pk" PRIMARY KEY("tenant_id","connection_id","name")
);
--> statement-breakpoint
CREATE TABLE "blocked_numbers" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"number" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blocked_numbers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"identity_kind" text NOT NULL,
	"identity_value" text NOT NULL,
	"channel" text NOT NULL,
	"purpose" text NOT NULL,
	"is_given" boolean NOT NULL,
	"source" text NOT NULL,
	"proof" text NOT NULL,
	"author" jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "birthday_greetings" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"audience_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "birthday_greetings_tenant_id_contact_id_year_pk" PRIMARY KEY("tenant_id","contact_id","year")
);
--> statement-breakpoint
CREATE TABLE "contact_activity" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"last_message_at" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	CONSTRAINT "contact_activity_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "contact_fields" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_fields_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "contact_identities" (
	"tenant_id" integer NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone,
	"unreachable_reason" text,
	"reach_told_at" timestamp (3) with time zone,
	CONSTRAINT "contact_identities_tenant_id_kind_value_pk" PRIMARY KEY("tenant_id","kind","value")
);
--> statement-breakpoint
CREATE TABLE "contact_tags" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "contact_tags_tenant_id_contact_id_tag_id_pk" PRIMARY KEY("tenant_id","contact_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "contact_wallets" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "contact_wallets_tenant_id_contact_id_user_id_pk" PRIMARY KEY("tenant_id","contact_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "contact_words" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"tail" text NOT NULL,
	"word" text,
	"search" text NOT NULL,
	CONSTRAINT "contact_words_tenant_id_contact_id_tail_pk" PRIMARY KEY("tenant_id","contact_id","tail")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_name_fixed" boolean DEFAULT false NOT NULL,
	"name_told_at" timestamp (3) with time zone,
	"number" text,
	"email" text,
	"profile_pic_url" text,
	"notes" text DEFAULT '' NOT NULL,
	"is_group" boolean DEFAULT false NOT NULL,
	"extra_info" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"birthday_date" date,
	"merged_into_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (norm(name || ' ' || coalesce(number, '') || ' ' || coalesce(email, ''))) STORED,
	CONSTRAINT "contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kept_id" uuid NOT NULL,
	"merged_id" uuid NOT NULL,
	"moved" jsonb NOT NULL,
	"user_id" uuid,
	"undone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_merges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tags_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "places" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "places_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "reasons" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reasons_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"query" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_filters_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"tenant_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"kind" text DEFAULT 'message' NOT NULL,
	"body" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_tenant_id_user_id_ticket_id_kind_pk" PRIMARY KEY("tenant_id","user_id","ticket_id","kind")
);
--> statement-breakpoint
CREATE TABLE "mentions" (
	"tenant_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"read_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mentions_tenant_id_user_id_message_id_pk" PRIMARY KEY("tenant_id","user_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "message_stars" (
	"tenant_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_stars_tenant_id_user_id_message_id_pk" PRIMARY KEY("tenant_id","user_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ticket_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"from_me" boolean NOT NULL,
	"type" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"media_state" text DEFAULT 'none' NOT NULL,
	"media_source" jsonb,
	"location" jsonb,
	"contacts" jsonb,
	"payload" jsonb,
	"send_type" text DEFAULT 'chat' NOT NULL,
	"is_forwarded" boolean DEFAULT false NOT NULL,
	"quoted_id" uuid,
	"reactions" jsonb,
	"status" text NOT NULL,
	"error" text,
	"provider_id" text,
	"user_id" uuid,
	"author" jsonb,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"edits" jsonb,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_by" text,
	"claimed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "messages_note_stays" CHECK ("messages"."type" <> 'note' or "messages"."status" not in ('queued', 'sending'))
);
--> statement-breakpoint
CREATE TABLE "ticket_logs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"type" text NOT NULL,
	"user_id" uuid,
	"queue_id" uuid,
	"note" text,
	"author" jsonb,
	"from" jsonb,
	"to" jsonb,
	"cause" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_logs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_undos" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"farewell" jsonb,
	"asks_rating" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_undos_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_marks" (
	"tenant_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"is_pinned" boolean DEFAULT false NOT NULL,
	"is_followed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_marks_tenant_id_user_id_ticket_id_pk" PRIMARY KEY("tenant_id","user_id","ticket_id")
);
--> statement-breakpoint
CREATE TABLE "ticket_tags" (
	"tenant_id" integer NOT NULL,
	"ticket_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "ticket_tags_tenant_id_ticket_id_tag_id_pk" PRIMARY KEY("tenant_id","ticket_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"protocol" text NOT NULL,
	"status" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"queue_id" uuid,
	"user_id" uuid,
	"kanban_id" uuid,
	"reason_id" uuid,
	"chat_flow_id" uuid,
	"bot" text,
	"priority" text DEFAULT 'normal' NOT NULL,
	"value" bigint,
	"shared_with" uuid[] DEFAULT '{}' NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_until" timestamp (3) with time zone,
	"pause_reason" text,
	"wakes_on_reply" boolean DEFAULT true NOT NULL,
	"paused_ms" bigint DEFAULT 0 NOT NULL,
	"merged_into_id" uuid,
	"is_group" boolean DEFAULT false NOT NULL,
	"unread_messages" integer DEFAULT 0 NOT NULL,
	"answered" boolean DEFAULT true NOT NULL,
	"last_message" text DEFAULT '' NOT NULL,
	"last_message_type" text DEFAULT 'text' NOT NULL,
	"last_author_id" uuid,
	"last_message_at" timestamp (3) with time zone,
	"not_sent" text,
	"last_inbound_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"first_answered_at" timestamp (3) with time zone,
	"sla_first_due_at" timestamp (3) with time zone,
	"sla_resolve_due_at" timestamp (3) with time zone,
	"sla_due_at" timestamp (3) with time zone GENERATED ALWAYS AS (least(case when first_answered_at is null then sla_first_due_at end, sla_resolve_due_at)) STORED,
	"sla_first_breached_at" timestamp (3) with time zone,
	"sla_resolve_breached_at" timestamp (3) with time zone,
	"sla_paused_ms" bigint DEFAULT 0 NOT NULL,
	"distributed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tickets_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"tenant_id" integer NOT NULL,
	"ticket_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"owner_id" text,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turns_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" uuid,
	"impersonator_id" uuid,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "audit_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "consumers" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"topics" text[] NOT NULL,
	"user_id" uuid,
	"integration_id" uuid,
	"target" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"calm_s" integer DEFAULT 0 NOT NULL,
	"is_latest_only" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"rests_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"error" text,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consumers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"tenant_id" integer NOT NULL,
	"seq" bigserial NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"consumer_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"url" text,
	"lane" text NOT NULL,
	"is_latest_only" boolean NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"answer" jsonb,
	"tried_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"revived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deliveries_tenant_id_seq_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "directory_versions" (
	"tenant_id" integer NOT NULL,
	"part" text NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "directory_versions_tenant_id_part_pk" PRIMARY KEY("tenant_id","part")
);
--> statement-breakpoint
CREATE TABLE "file_uses" (
	"tenant_id" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "file_uses_tenant_id_file_id_entity_entity_id_pk" PRIMARY KEY("tenant_id","file_id","entity","entity_id")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"key" text NOT NULL,
	"thumb_key" text,
	"width" integer,
	"height" integer,
	"duration_ms" integer,
	"user_id" uuid,
	"contact_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"family" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"config" jsonb NOT NULL,
	"state" text DEFAULT 'unchecked' NOT NULL,
	"state_text" text,
	"checked_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integrations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"tokens" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"refreshing_until" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oauth_grants_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"tenant_id" integer NOT NULL,
	"seq" bigserial NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"audience" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() + interval '2 seconds' NOT NULL,
	CONSTRAINT "outbox_tenant_id_seq_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
CREATE TABLE "early_statuses" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "early_statuses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "journal" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "journal_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"connection_id" uuid NOT NULL,
	"event_key" text NOT NULL,
	"conversation" text,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'received' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone,
	CONSTRAINT "journal_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "webchat_sessions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"visitor_id" text NOT NULL,
	"contact_id" uuid,
	"family_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"verified_as" text,
	"page" jsonb,
	"delivered_seq" bigint DEFAULT 0 NOT NULL,
	"read_seq" bigint DEFAULT 0 NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webchat_sessions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "audience" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"body" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"message_id" uuid,
	"error" text,
	"attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "audience_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "bulk_jobs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"params" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"error" text,
	"subject" text,
	"has_result" boolean DEFAULT false NOT NULL,
	"result_file_id" uuid,
	"cursor" text,
	"user_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_jobs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "job_parts" (
	"tenant_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "job_parts_tenant_id_job_id_place_pk" PRIMARY KEY("tenant_id","job_id","place")
);
--> statement-breakpoint
CREATE TABLE "job_refusals" (
	"tenant_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"item" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "job_refusals_tenant_id_job_id_item_pk" PRIMARY KEY("tenant_id","job_id","item")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"ticket_id" uuid,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"purpose" text DEFAULT 'service' NOT NULL,
	"media_id" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	"wall_time" text NOT NULL,
	"time_zone" text NOT NULL,
	"every_days" integer,
	"times_left" integer,
	"previous_id" uuid,
	"state" text DEFAULT 'pending' NOT NULL,
	"is_late" boolean DEFAULT false NOT NULL,
	"done_at" timestamp (3) with time zone,
	"message_id" uuid,
	"error" text,
	"attempt_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedules_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "task_comments" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "task_comments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"limit_date" timestamp (3) with time zone,
	"owner_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"priority" text DEFAULT 'normal' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"recurrence" integer,
	"previous_id" uuid,
	"ticket_id" uuid,
	"contact_id" uuid,
	"done_at" timestamp (3) with time zone,
	"remind_before" integer,
	"remind_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tasks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"to" text NOT NULL,
	"user_id" uuid,
	"content" text,
	"message_id" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attempts_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "one_time_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"family_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"token_version" integer NOT NULL,
	"impersonator_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refresh_tokens_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "reset_tokens" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reset_tokens_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "agent_states" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "agent_states_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "agent_states_reason" CHECK (("agent_states"."state" = 'away') = ("agent_states"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"permissions" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"profile" text NOT NULL,
	"role_id" uuid,
	"is_support" boolean DEFAULT false NOT NULL,
	"is_blocked" boolean DEFAULT false NOT NULL,
	"is_online" boolean DEFAULT false NOT NULL,
	"away_since" timestamp (3) with time zone,
	"away_reason" text,
	"capacity" integer,
	"configs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"menu_permissions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"allowed_hours" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"token_version" integer DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	"home_tenant_id" integer,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "platform_audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" uuid,
	"subject_tenant_id" integer,
	"action" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"identity" text DEFAULT '' NOT NULL,
	"timezone" text DEFAULT 'America/Sao_Paulo' NOT NULL,
	"max_users" integer DEFAULT 50 NOT NULL,
	"max_connections" integer DEFAULT 10 NOT NULL,
	"max_contacts" integer,
	"max_storage_mb" integer,
	"menu_visibility" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"logo_media_id" uuid,
	"sla_stale_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "farewells" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"message" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farewells_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "macros" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"user_id" uuid NOT NULL,
	"queue_id" uuid,
	"actions" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "macros_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "quick_messages" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"message" text NOT NULL,
	"scope" text NOT NULL,
	"user_id" uuid NOT NULL,
	"queue_id" uuid,
	"media_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quick_messages_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "protocol_links" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"user_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "protocol_links_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "transcripts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcripts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "queue_members" (
	"tenant_id" integer NOT NULL,
	"queue_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"last_assigned_at" timestamp (3) with time zone,
	CONSTRAINT "queue_members_tenant_id_queue_id_user_id_pk" PRIMARY KEY("tenant_id","queue_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "queues" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"distribution" text DEFAULT 'none' NOT NULL,
	"accept_within" integer,
	"business_hours" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"absence_message" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queues_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"user_id" uuid,
	"queue_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"grade" integer,
	"comment" text DEFAULT '' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ratings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "connection_pace" ADD CONSTRAINT "connection_pace_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_proxy_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","proxy_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_templates" ADD CONSTRAINT "message_templates_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_leases" ADD CONSTRAINT "connection_leases_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_calls" ADD CONSTRAINT "session_calls_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_state" ADD CONSTRAINT "session_state_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_activity" ADD CONSTRAINT "contact_activity_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_words" ADD CONSTRAINT "contact_words_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_kept_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","kept_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_merged_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","merged_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_undos" ADD CONSTRAINT "ticket_undos_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_undos" ADD CONSTRAINT "ticket_undos_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_last_author_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","last_author_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_reason_id_reasons_tenant_id_id_fk" FOREIGN KEY ("tenant_id","reason_id") REFERENCES "public"."reasons"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consumers" ADD CONSTRAINT "consumers_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consumers" ADD CONSTRAINT "consumers_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_id_consumer_id_consumers_tenant_id_id_fk" FOREIGN KEY ("tenant_id","consumer_id") REFERENCES "public"."consumers"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_uses" ADD CONSTRAINT "file_uses_tenant_id_file_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "early_statuses" ADD CONSTRAINT "early_statuses_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_created_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_tenant_id_result_file_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","result_file_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_parts" ADD CONSTRAINT "job_parts_tenant_id_job_id_bulk_jobs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."bulk_jobs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_refusals" ADD CONSTRAINT "job_refusals_tenant_id_job_id_bulk_jobs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."bulk_jobs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_created_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_tenant_id_task_id_tasks_tenant_id_id_fk" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."tasks"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_owner_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE set null ("ticket_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE set null ("contact_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_tokens" ADD CONSTRAINT "reset_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_states" ADD CONSTRAINT "agent_states_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_tenant_id_role_id_roles_tenant_id_id_fk" FOREIGN KEY ("tenant_id","role_id") REFERENCES "public"."roles"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_id_logo_media_id_files_tenant_id_id_fk" FOREIGN KEY ("id","logo_media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protocol_links" ADD CONSTRAINT "protocol_links_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcripts" ADD CONSTRAINT "transcripts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_name" ON "connections" USING btree ("tenant_id",lower("name")) WHERE "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_default" ON "connections" USING btree ("tenant_id","kind") WHERE "connections"."is_default" and "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_external" ON "connections" USING btree ("kind","external_id") WHERE "connections"."deleted_at" is null and "connections"."external_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_channel_key" ON "connections" USING btree ("channel_key") WHERE "connections"."channel_key" is not null;--> statement-breakpoint
CREATE INDEX "connections_proxy" ON "connections" USING btree ("tenant_id","proxy_id") WHERE "connections"."proxy_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "message_templates_name" ON "message_templates" USING btree ("tenant_id","connection_id","name","language");--> statement-breakpoint
CREATE INDEX "connection_leases_owner" ON "connection_leases" USING btree ("tenant_id","owner");--> statement-breakpoint
CREATE INDEX "session_calls_waiting" ON "session_calls" USING btree ("tenant_id","connection_id","created_at") WHERE "session_calls"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "session_calls_old" ON "session_calls" USING btree ("tenant_id","deadline_at");--> statement-breakpoint
CREATE UNIQUE INDEX "blocked_numbers_number" ON "blocked_numbers" USING btree ("tenant_id","number");--> statement-breakpoint
CREATE INDEX "consents_current" ON "consents" USING btree ("tenant_id","identity_kind","identity_value","channel","purpose","at","id");--> statement-breakpoint
CREATE INDEX "contact_activity_last" ON "contact_activity" USING btree ("tenant_id","last_message_at","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_key" ON "contact_fields" USING btree ("tenant_id",lower("key"));--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_name" ON "contact_fields" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contact_identities_contact" ON "contact_identities" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_tags_tag" ON "contact_tags" USING btree ("tenant_id","tag_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_wallets_user" ON "contact_wallets" USING btree ("tenant_id","user_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_words_word" ON "contact_words" USING btree ("tenant_id","word","search","contact_id") WHERE "contact_words"."word" is not null;--> statement-breakpoint
CREATE INDEX "contact_words_tail" ON "contact_words" USING btree ("tenant_id","tail","search","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("tenant_id","number") WHERE "contacts"."number" is not null;--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("tenant_id","search" collate "C","id") WHERE "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_created" ON "contacts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ("tenant_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_same_email" ON "contacts" USING btree ("tenant_id","email") WHERE "contacts"."email" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_phone" ON "contacts" USING btree ("tenant_id",right("number", 8)) WHERE "contacts"."number" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_name" ON "contacts" USING btree ("tenant_id",norm("name")) WHERE not "contacts"."is_group" and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_birthday" ON "contacts" USING btree ("tenant_id",(extract(month from "birthday_date") * 100 + extract(day from "birthday_date")),"id") WHERE "contacts"."birthday_date" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_merged" ON "contacts" USING btree ("tenant_id","merged_into_id") WHERE "contacts"."merged_into_id" is not null;--> statement-breakpoint
CREATE INDEX "contact_merges_kept" ON "contact_merges" USING btree ("tenant_id","kept_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_merges_merged" ON "contact_merges" USING btree ("tenant_id","merged_id") WHERE "contact_merges"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "places_name" ON "places" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "reasons_name" ON "reasons" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name" ON "saved_filters" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_filters_shared" ON "saved_filters" USING btree ("tenant_id","is_shared","name");--> statement-breakpoint
CREATE INDEX "mentions_recent" ON "mentions" USING btree ("tenant_id","user_id","created_at","message_id");--> statement-breakpoint
CREATE INDEX "mentions_message" ON "mentions" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "mentions_ticket" ON "mentions" USING btree ("tenant_id","ticket_id","user_id");--> statement-breakpoint
CREATE INDEX "message_stars_message" ON "message_stars" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "message_stars_recent" ON "message_stars" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider" ON "messages" USING btree ("tenant_id","connection_id","provider_id") WHERE "messages"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_page" ON "messages" USING btree ("tenant_id","ticket_id","seq");--> statement-breakpoint
CREATE INDEX "messages_of_contact" ON "messages" USING btree ("tenant_id","contact_id","seq");--> statement-breakpoint
CREATE INDEX "messages_gallery" ON "messages" USING btree ("tenant_id","contact_id","seq") WHERE "messages"."media_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_links" ON "messages" USING btree ("tenant_id","contact_id","seq") WHERE "messages"."body" ~* 'https?://' and "messages"."type" not in ('note', 'system');--> statement-breakpoint
CREATE INDEX "messages_day" ON "messages" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_notes" ON "messages" USING btree ("tenant_id","seq") WHERE "messages"."type" = 'note';--> statement-breakpoint
CREATE INDEX "messages_to_send" ON "messages" USING btree ("tenant_id","connection_id","seq") WHERE "messages"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "messages_sending" ON "messages" USING btree ("claimed_at") WHERE "messages"."status" = 'sending';--> statement-breakpoint
CREATE INDEX "messages_queue" ON "messages" USING btree ("tenant_id","ticket_id","seq") WHERE "messages"."status" in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "messages_media" ON "messages" USING btree ("tenant_id","media_id") WHERE "messages"."media_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_stuck" ON "messages" USING btree ("tenant_id","connection_id","seq") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";--> statement-breakpoint
CREATE INDEX "messages_not_sent" ON "messages" USING btree ("tenant_id","ticket_id") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";--> statement-breakpoint
CREATE INDEX "messages_media_queue" ON "messages" USING btree ("tenant_id","id") WHERE "messages"."media_state" = 'fetching';--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("tenant_id",message_slices("created_at"),norm("body") gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "ticket_logs_ticket" ON "ticket_logs" USING btree ("tenant_id","ticket_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_undos_ticket" ON "ticket_undos" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ticket_undos_due" ON "ticket_undos" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "ticket_marks_ticket" ON "ticket_marks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ticket_tags_tag" ON "ticket_tags" USING btree ("tenant_id","tag_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_active" ON "tickets" USING btree ("tenant_id","connection_id","contact_id") WHERE "tickets"."status" <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_protocol" ON "tickets" USING btree ("tenant_id","protocol");--> statement-breakpoint
CREATE INDEX "tickets_inbox" ON "tickets" USING btree ("tenant_id","status",coalesce("last_message_at", "created_at"),"id");--> statement-breakpoint
CREATE INDEX "tickets_waiting" ON "tickets" USING btree ("tenant_id","status",coalesce("waiting_since", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tickets_sla" ON "tickets" USING btree ("tenant_id","status",coalesce("sla_due_at", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tickets_to_wake" ON "tickets" USING btree ("paused_until") WHERE "tickets"."paused_until" is not null;--> statement-breakpoint
CREATE INDEX "tickets_of_user" ON "tickets" USING btree ("tenant_id","user_id","status");--> statement-breakpoint
CREATE INDEX "tickets_of_queue" ON "tickets" USING btree ("tenant_id","queue_id","status");--> statement-breakpoint
CREATE INDEX "tickets_of_contact" ON "tickets" USING btree ("tenant_id","contact_id","created_at");--> statement-breakpoint
CREATE INDEX "tickets_not_sent" ON "tickets" USING btree ("tenant_id","status","id") WHERE "tickets"."not_sent" is not null;--> statement-breakpoint
CREATE INDEX "tickets_distributed" ON "tickets" USING btree ("tenant_id","user_id") WHERE "tickets"."distributed_at" is not null;--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "tickets_of_reason" ON "tickets" USING btree ("tenant_id","reason_id") WHERE "tickets"."reason_id" is not null;--> statement-breakpoint
CREATE INDEX "tickets_closed" ON "tickets" USING btree ("tenant_id","closed_at") WHERE "tickets"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "turns_due" ON "turns" USING btree ("due_at") WHERE "turns"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "audit_recent" ON "audit" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_user" ON "audit" USING btree ("tenant_id","user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("tenant_id","entity","entity_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "consumers_endpoint" ON "consumers" USING btree (("target" ->> 'endpoint')) WHERE "consumers"."kind" = 'push';--> statement-breakpoint
CREATE INDEX "consumers_of_user" ON "consumers" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "consumers_of_integration" ON "consumers" USING btree ("tenant_id","integration_id");--> statement-breakpoint
CREATE INDEX "deliveries_of_consumer" ON "deliveries" USING btree ("tenant_id","consumer_id","seq");--> statement-breakpoint
CREATE INDEX "deliveries_lane" ON "deliveries" USING btree ("tenant_id","consumer_id","lane","seq") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_dead" ON "deliveries" USING btree ("tenant_id","consumer_id","seq") WHERE "deliveries"."state" = 'dead';--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_latest" ON "deliveries" USING btree ("tenant_id","consumer_id","lane") WHERE "deliveries"."is_latest_only" and "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "file_uses_ending" ON "file_uses" USING btree ("expires_at") WHERE "file_uses"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "files_user" ON "files" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "files_size" ON "files" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_name" ON "integrations" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "integrations_family" ON "integrations" USING btree ("tenant_id","family","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_grants_owner" ON "oauth_grants" USING btree ("tenant_id","integration_id");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "early_statuses_key" ON "early_statuses" USING btree ("tenant_id","connection_id","provider_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "journal_event" ON "journal" USING btree ("tenant_id","connection_id","event_key");--> statement-breakpoint
CREATE INDEX "journal_order" ON "journal" USING btree ("tenant_id","connection_id","conversation","seq") WHERE "journal"."state" = 'received';--> statement-breakpoint
CREATE INDEX "journal_unknown" ON "journal" USING btree ("tenant_id","connection_id","received_at") WHERE "journal"."state" in ('unknown', 'failed');--> statement-breakpoint
CREATE INDEX "journal_of_connection" ON "journal" USING btree ("tenant_id","connection_id","received_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webchat_sessions_hash" ON "webchat_sessions" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "webchat_sessions_family" ON "webchat_sessions" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "webchat_sessions_visitor" ON "webchat_sessions" USING btree ("tenant_id","visitor_id");--> statement-breakpoint
CREATE INDEX "audience_waiting" ON "audience" USING btree ("tenant_id","connection_id","attempt_at","id") WHERE "audience"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "audience_of_contact" ON "audience" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_recent" ON "bulk_jobs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_todo" ON "bulk_jobs" USING btree ("created_at") WHERE "bulk_jobs"."state" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "bulk_jobs_of_user" ON "bulk_jobs" USING btree ("tenant_id","user_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_unread" ON "notifications" USING btree ("tenant_id","user_id","kind","subject") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_of_user" ON "notifications" USING btree ("tenant_id","user_id","at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_ticket" ON "notifications" USING btree ("tenant_id","ticket_id") WHERE "notifications"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_old" ON "notifications" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_previous" ON "schedules" USING btree ("tenant_id","previous_id") WHERE "schedules"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "schedules_by_due" ON "schedules" USING btree ("tenant_id","due_at","id");--> statement-breakpoint
CREATE INDEX "schedules_of_contact" ON "schedules" USING btree ("tenant_id","contact_id","due_at");--> statement-breakpoint
CREATE INDEX "schedules_waiting" ON "schedules" USING btree ("attempt_at") WHERE "schedules"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "task_comments_task" ON "task_comments" USING btree ("tenant_id","task_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_previous" ON "tasks" USING btree ("tenant_id","previous_id") WHERE "tasks"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_by_limit" ON "tasks" USING btree ("tenant_id",coalesce("limit_date", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tasks_of_owner" ON "tasks" USING btree ("tenant_id","owner_id","status");--> statement-breakpoint
CREATE INDEX "tasks_of_writer" ON "tasks" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "tasks_of_ticket" ON "tasks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "tasks_of_contact" ON "tasks" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("tenant_id","limit_date") WHERE "tasks"."reminded_at" is null and "tasks"."status" <> 'done';--> statement-breakpoint
CREATE INDEX "tasks_to_remind" ON "tasks" USING btree ("tenant_id","remind_at") WHERE "tasks"."remind_at" is not null and "tasks"."status" <> 'done';--> statement-breakpoint
CREATE INDEX "mails_recent" ON "mails" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("attempt_at") WHERE "mails"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "attempts_expired" ON "attempts" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "one_time_tokens_expiry" ON "one_time_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refresh_tokens_hash" ON "refresh_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "refresh_tokens_family" ON "refresh_tokens" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_revoked" ON "refresh_tokens" USING btree ("tenant_id","revoked_at") WHERE "refresh_tokens"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "refresh_tokens_visits" ON "refresh_tokens" USING btree ("tenant_id","expires_at") WHERE "refresh_tokens"."impersonator_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reset_tokens_hash" ON "reset_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "reset_tokens_user" ON "reset_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_states_now" ON "agent_states" USING btree ("tenant_id","user_id") WHERE "agent_states"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "agent_states_of_user" ON "agent_states" USING btree ("tenant_id","user_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."deleted_at" is null and "users"."home_tenant_id" is null;--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree ("tenant_id","name","id");--> statement-breakpoint
CREATE INDEX "users_of_role" ON "users" USING btree ("tenant_id","role_id") WHERE "users"."role_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "platform_audit_recent" ON "platform_audit" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "farewells_name" ON "farewells" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "macros_name" ON "macros" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_everyone" ON "quick_messages" USING btree ("tenant_id","key") WHERE "quick_messages"."scope" = 'everyone';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_queue" ON "quick_messages" USING btree ("tenant_id","queue_id","key") WHERE "quick_messages"."scope" = 'queue';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_mine" ON "quick_messages" USING btree ("tenant_id","user_id","key") WHERE "quick_messages"."scope" = 'mine';--> statement-breakpoint
CREATE UNIQUE INDEX "protocol_links_hash" ON "protocol_links" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "protocol_links_ticket" ON "protocol_links" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transcripts_hash" ON "transcripts" USING btree ("tenant_id","ticket_id","sha256");--> statement-breakpoint
CREATE INDEX "queue_members_user" ON "queue_members" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "queues_name" ON "queues" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "ratings_pending" ON "ratings" USING btree ("tenant_id","connection_id","contact_id") WHERE "ratings"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "ratings_recent" ON "ratings" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ratings_of_ticket" ON "ratings" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ratings_of_user" ON "ratings" USING btree ("tenant_id","user_id","created_at");
--> statement-breakpoint
-- Trigram operators are not leakproof, so under row-level security the planner may not use their indexes. The functions
-- of search run as the platform role and hold the tenant themselves; a pattern is taken apart once, not for every row.
CREATE FUNCTION find_protocols(prefix text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT t.id FROM tickets t
  WHERE t.tenant_id = current_setting('app.tenant_id')::int AND t.protocol >= prefix AND t.protocol < prefix || 'z'
  ORDER BY t.protocol DESC LIMIT max
$$;
ALTER FUNCTION find_protocols(text, integer) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION find_protocols(text, integer) FROM public;
GRANT EXECUTE ON FUNCTION find_protocols(text, integer) TO balcao_app;
--> statement-breakpoint
-- Protocols: the day in the company's time zone and six digits. The sequence takes no lock, so tickets are created in
-- parallel; the multiplication (a bijection of 0..999999) hides from a company how many tickets the others open.
CREATE SEQUENCE ticket_protocols;
CREATE FUNCTION next_protocol() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT to_char(now() AT TIME ZONE t.timezone, 'YYYYMMDD')
    || lpad(((nextval('ticket_protocols') * 387431 + t.id * 104729) % 1000000)::text, 6, '0')
  FROM tenants t WHERE t.id = current_setting('app.tenant_id')::int
$$;
--> statement-breakpoint
-- Nothing new is born to a contact that became part of another. Births share a lock a merge takes alone: either the merge
-- waits and takes the new along, or the new waits and sees here how it ended. As a serialisation failure, withTenant runs
-- the whole decision again, and finds the contact that is kept. (A lock of the contact's own row would queue behind it
-- everybody who only notes when the customer last wrote: a deadlock.)
CREATE FUNCTION lock_of_contact(tenant integer, contact uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('contact:' || tenant || ':' || contact, 0)
$$;
CREATE FUNCTION refuse_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.contact_id IS NULL THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(lock_of_contact(NEW.tenant_id, NEW.contact_id));
  IF EXISTS (SELECT FROM contacts c WHERE c.tenant_id = NEW.tenant_id AND c.id = NEW.contact_id AND c.merged_into_id IS NOT NULL) THEN
    RAISE EXCEPTION 'contact % became part of another', NEW.contact_id USING ERRCODE = '40001';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_merged AFTER INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION refuse_merged();
CREATE TRIGGER refuse_merged AFTER INSERT ON contact_identities FOR EACH ROW EXECUTE FUNCTION refuse_merged();
CREATE TRIGGER refuse_merged AFTER INSERT ON schedules FOR EACH ROW EXECUTE FUNCTION refuse_merged();
CREATE TRIGGER refuse_merged AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_merged();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows', tg_table_name;
END $$;
CREATE TRIGGER consents_only_grow BEFORE UPDATE OR DELETE ON consents FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A tag or an owner belongs to its ticket or contact: giving or taking one writes that row anew, so the transaction
-- that last wrote a row (xmin) tells whether anything of it changed. The list keeps rows in memory by that.
CREATE FUNCTION write_contacts_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE contacts c SET updated_at = c.updated_at FROM (SELECT DISTINCT tenant_id, contact_id FROM changed) l
    WHERE c.tenant_id = l.tenant_id AND c.id = l.contact_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION write_tickets_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets t SET updated_at = t.updated_at FROM (SELECT DISTINCT tenant_id, ticket_id FROM changed) l
    WHERE t.tenant_id = l.tenant_id AND t.id = l.ticket_id;
  RETURN NULL;
END $$;
CREATE TRIGGER written AFTER INSERT ON contact_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER moved AFTER UPDATE ON contact_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER taken AFTER DELETE ON contact_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER written AFTER INSERT ON contact_wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER moved AFTER UPDATE ON contact_wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER taken AFTER DELETE ON contact_wallets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_contacts_anew();
CREATE TRIGGER written AFTER INSERT ON ticket_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();
CREATE TRIGGER moved AFTER UPDATE ON ticket_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();
CREATE TRIGGER taken AFTER DELETE ON ticket_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION write_tickets_anew();
--> statement-breakpoint
-- Whoever changes what a company's directory is read from counts it; also where the app's role may see one company only.
CREATE FUNCTION count_directory_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed jsonb := CASE WHEN tg_op = 'DELETE' THEN to_jsonb(old) ELSE to_jsonb(new) END;
  owner int := coalesce(changed ->> 'tenant_id', changed ->> 'id')::int;
BEGIN
  -- Somebody who is of the platform too has their name and e-mail in one row and is shown by the other as well.
  INSERT INTO directory_versions (tenant_id, part, version)
    SELECT tenant_id, tg_argv[0], 1 FROM (
      SELECT owner AS tenant_id
      UNION SELECT (changed ->> 'home_tenant_id')::int WHERE changed ->> 'home_tenant_id' IS NOT NULL
      UNION SELECT 0 WHERE tg_table_name = 'users' AND owner <> 0
        AND EXISTS (SELECT FROM users p WHERE p.tenant_id = 0 AND p.id::text = changed ->> 'id')) counted
    ORDER BY tenant_id
    ON CONFLICT (tenant_id, part) DO UPDATE SET version = directory_versions.version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_directory_change('people');
CREATE TRIGGER directory_changed AFTER UPDATE ON users FOR EACH ROW WHEN ((to_jsonb(old) - '{password_hash,version,last_login_at,created_at,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new) - '{password_hash,version,last_login_at,created_at,updated_at}'::text[])) EXECUTE FUNCTION count_directory_change('people');
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON queue_members FOR EACH ROW EXECUTE FUNCTION count_directory_change('people');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON roles FOR EACH ROW EXECUTE FUNCTION count_directory_change('roles');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON queues FOR EACH ROW EXECUTE FUNCTION count_directory_change('queues');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON tags FOR EACH ROW EXECUTE FUNCTION count_directory_change('tags');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON reasons FOR EACH ROW EXECUTE FUNCTION count_directory_change('reasons');
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION count_directory_change('company');
CREATE TRIGGER directory_changed AFTER UPDATE ON tenants FOR EACH ROW WHEN ((to_jsonb(old) - '{sla_stale_at,version,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new) - '{sla_stale_at,version,updated_at}'::text[])) EXECUTE FUNCTION count_directory_change('company');
CREATE TRIGGER directory_changed AFTER UPDATE OF revoked_at ON refresh_tokens FOR EACH ROW WHEN (old.revoked_at IS DISTINCT FROM new.revoked_at) EXECUTE FUNCTION count_directory_change('sessions');
CREATE TRIGGER directory_came_or_went AFTER INSERT ON refresh_tokens FOR EACH ROW WHEN (new.revoked_at IS NOT NULL) EXECUTE FUNCTION count_directory_change('sessions');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON blocked_numbers FOR EACH ROW EXECUTE FUNCTION count_directory_change('blockedNumbers');
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON connections FOR EACH ROW EXECUTE FUNCTION count_directory_change('connections');
CREATE TRIGGER directory_changed AFTER UPDATE OF name ON connections FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION count_directory_change('connections');
--> statement-breakpoint
-- Messages with these words, newest first, one piece of time after the other, until there are `max`, none are left, or
-- the time is up: then a last row says how far it came. It begins with an hour. The rows about 200 back tell which piece
-- holds some 60,000; a rare word takes a larger one, as each costs it little, or all the rest where there is time for it.
-- A condition on `created_at` alone would call in the other index.
CREATE FUNCTION find_messages(pattern text, max integer, budget_ms integer, since timestamptz DEFAULT '-infinity',
  before timestamptz DEFAULT 'infinity', of_ticket uuid DEFAULT NULL, of_contact uuid DEFAULT NULL)
RETURNS TABLE (id uuid, ticket_id uuid, created_at timestamptz, searched_to timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  words constant text := norm(pattern);
  deadline constant timestamptz := clock_timestamp() + budget_ms * interval '1 millisecond';
  newest timestamptz;
  further timestamptz;
  fitting integer;
  size integer := 0;
  slice integer;
  missing integer := max;
  found_here integer;
  started timestamptz;
  took_ms double precision := 0;
BEGIN
  WHILE missing > 0 LOOP
    started := clock_timestamp();
    SELECT max(x.created_at), CASE WHEN count(*) = 200 THEN min(x.created_at) END INTO newest, further FROM (
      SELECT m.created_at FROM messages m WHERE m.tenant_id = tenant AND m.created_at < before ORDER BY m.created_at DESC LIMIT 200) x;
    EXIT WHEN newest IS NULL OR newest < since;
    -- A slice like the last, begun now, should end in time.
    IF size > 0 AND started + took_ms * interval '0.5 ms' > deadline THEN
      RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::timestamptz, before;
      EXIT;
    END IF;
    IF size > 0 AND took_ms * 500 < budget_ms THEN
      RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
        WHERE m.tenant_id = tenant AND norm(m.body) LIKE words AND NOT m.is_deleted
          AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
          AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
        ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
      EXIT;
    END IF;
    fitting := CASE WHEN further IS NULL THEN 5
      ELSE 1 + round(log(8, greatest(0.001, 320 * extract(epoch FROM newest - further) / 3600))) END;
    size := greatest(1, least(5, size + 1, fitting + CASE WHEN took_ms < 10 THEN 1 ELSE 0 END, CASE WHEN took_ms > 40 THEN size - 1 ELSE 5 END));
    slice := (message_slices(newest))[size];
    RETURN QUERY SELECT m.id, m.ticket_id, m.created_at::timestamptz, NULL::timestamptz FROM messages m
      WHERE m.tenant_id = tenant AND message_slices(m.created_at) @> ARRAY[slice] AND norm(m.body) LIKE words AND NOT m.is_deleted
        AND m.created_at + interval '0' < before AND m.created_at + interval '0' >= since
        AND (of_ticket IS NULL OR m.ticket_id = of_ticket) AND (of_contact IS NULL OR m.contact_id = of_contact)
      ORDER BY m.created_at DESC, m.id DESC LIMIT missing;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    missing := missing - found_here;
    before := to_timestamp(((slice % 100000000)::bigint << (3 * (size - 1))) * 3600);
    took_ms := extract(epoch FROM clock_timestamp() - started) * 1000;
  END LOOP;
END $$;
ALTER FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) FROM public;
GRANT EXECUTE ON FUNCTION find_messages(text, integer, integer, timestamptz, timestamptz, uuid, uuid) TO balcao_app;
--> statement-breakpoint
-- Whoever has no consumer pays one look into an index for each event.
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named uuid[];
BEGIN
  IF NOT jsonb_exists_any(new.audience, '{userId,userIds}') THEN
    IF NOT EXISTS (SELECT FROM consumers WHERE tenant_id = new.tenant_id AND user_id IS NULL) THEN RETURN NULL; END IF;
  ELSE
    IF NOT EXISTS (SELECT FROM consumers WHERE tenant_id = new.tenant_id) THEN RETURN NULL; END IF;
    -- For the bell alone: nobody was there when it happened.
    IF new.name = 'notification.created' AND new.payload -> 'isQuiet' = 'true' THEN RETURN NULL; END IF;
    named := CASE WHEN new.audience ? 'userId' THEN ARRAY[(new.audience ->> 'userId')::uuid]
      ELSE ARRAY(SELECT jsonb_array_elements_text(new.audience -> 'userIds')::uuid) END;
  END IF;
  PERFORM FROM consumers c WHERE c.tenant_id = new.tenant_id AND c.state = 'active' AND new.name = ANY (c.topics)
    AND (c.user_id IS NULL OR c.user_id = ANY (named)) LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO deliveries (tenant_id, consumer_id, topic, lane, is_latest_only, payload, due_at)
  SELECT new.tenant_id, c.id, new.name,
    CASE new.name
      WHEN 'notification.created' THEN (new.payload ->> 'kind') || ':' || coalesce(new.payload ->> 'ticketId', new.payload ->> 'link')
      ELSE coalesce(new.payload #>> '{message,ticketId}', new.payload ->> 'ticketId', new.payload ->> 'id', '')
    END,
    c.is_latest_only, new.payload, now() + make_interval(secs => c.calm_s)
  FROM consumers c
  WHERE c.tenant_id = new.tenant_id AND c.state = 'active' AND new.name = ANY (c.topics)
    AND (c.user_id IS NULL OR c.user_id = ANY (named))
  ORDER BY c.id
  FOR KEY SHARE OF c -- one that is being removed is no consumer any more, and fails nobody's change
  ON CONFLICT (tenant_id, consumer_id, lane) WHERE is_latest_only AND state = 'waiting'
  DO UPDATE SET id = excluded.id, topic = excluded.topic, payload = excluded.payload, attempts = 0, error = null,
    due_at = excluded.due_at, created_at = now();
  RETURN NULL;
END $$;
CREATE TRIGGER write_deliveries AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION write_deliveries();
--> statement-breakpoint
-- Words alone, without accents or signs, one space between them.
CREATE FUNCTION contact_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(norm(value), '[^[:alnum:]]+', ' ', 'g'))
$$;
--> statement-breakpoint
-- Each word with what follows it; a word that comes twice is one.
CREATE FUNCTION words_of_contact(name text, email text) RETURNS TABLE (tail text, word text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(array_to_string(w.words[n:], ' '), 200), CASE WHEN array_position(w.words, w.words[n]) = n THEN left(w.words[n], 100) END
  FROM (SELECT string_to_array(contact_text(name || ' ' || coalesce(split_part(email, '@', 1), '')), ' ') AS words) w,
    generate_series(1, least(30, cardinality(w.words))) n
  WHERE w.words[n] <> ''
$$;
--> statement-breakpoint
CREATE FUNCTION add_beside_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_activity (tenant_id, contact_id) SELECT tenant_id, id FROM added;
  INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
    SELECT c.tenant_id, c.id, w.tail, w.word, c.search FROM added c, words_of_contact(c.name, c.email) w
    WHERE c.merged_into_id IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION keep_contact_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_words WHERE tenant_id = NEW.tenant_id AND contact_id = NEW.id;
  IF NEW.merged_into_id IS NULL THEN
    INSERT INTO contact_words (tenant_id, contact_id, tail, word, search)
      SELECT NEW.tenant_id, NEW.id, w.tail, w.word, NEW.search FROM words_of_contact(NEW.name, NEW.email) w ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER beside_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_beside_contacts();
CREATE TRIGGER contact_words AFTER UPDATE ON contacts FOR EACH ROW
  WHEN (OLD.search IS DISTINCT FROM NEW.search OR OLD.merged_into_id IS DISTINCT FROM NEW.merged_into_id) EXECUTE FUNCTION keep_contact_words();
--> statement-breakpoint
CREATE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL
$$;
--> statement-breakpoint
-- Whoever is called so; where nobody is, whoever has these letters anywhere.
CREATE FUNCTION find_contacts(words text, pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  begins constant text := contact_text(words);
BEGIN
  IF begins <> '' THEN
    RETURN QUERY SELECT w.contact_id FROM contact_words w
      WHERE w.tenant_id = tenant AND w.tail >= begins AND w.tail < begins || chr(1114111) LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c
    WHERE c.tenant_id = tenant AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL LIMIT max;
END $$;
ALTER FUNCTION search_contacts(text) OWNER TO balcao_platform;
ALTER FUNCTION find_contacts(text, text, integer) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION search_contacts(text), find_contacts(text, text, integer) FROM public;
GRANT EXECUTE ON FUNCTION search_contacts(text), find_contacts(text, text, integer) TO balcao_app;
