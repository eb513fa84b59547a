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
CREATE TABLE "birthday_greetings" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "birthday_greetings_tenant_id_contact_id_year_pk" PRIMARY KEY("tenant_id","contact_id","year")
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
	CONSTRAINT "contact_identities_tenant_id_kind_value_pk" PRIMARY KEY("tenant_id","kind","value")
);
--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kept_id" uuid NOT NULL,
	"merged_id" uuid NOT NULL,
	"moved" jsonb NOT NULL,
	"user_id" uuid NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_merges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
CREATE TABLE "contacts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_name_fixed" boolean DEFAULT false NOT NULL,
	"number" text,
	"email" text,
	"profile_pic_url" text,
	"notes" text DEFAULT '' NOT NULL,
	"is_group" boolean DEFAULT false NOT NULL,
	"extra_info" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"unreachable_reason" text,
	"birthday_date" date,
	"last_message_at" timestamp (3) with time zone,
	"merged_into_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (norm(name || ' ' || coalesce(number, '') || ' ' || coalesce(email, ''))) STORED,
	CONSTRAINT "contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	"cursor" text,
	"user_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_jobs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'DISCONNECTED' NOT NULL,
	"status_text" text,
	"is_default" boolean DEFAULT false NOT NULL,
	"queue_id" uuid,
	"config" jsonb NOT NULL,
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
CREATE TABLE "messages" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
CREATE TABLE "ticket_logs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"type" text NOT NULL,
	"user_id" uuid,
	"queue_id" uuid,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_logs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
CREATE TABLE "transcripts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcripts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
CREATE TABLE "push_deliveries" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"topic" text NOT NULL,
	"ticket_id" uuid,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "push_deliveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	CONSTRAINT "push_subscriptions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "agent_pauses" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "agent_pauses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
CREATE TABLE "users" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"profile" text NOT NULL,
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
CREATE TABLE "outbox" (
	"tenant_id" integer NOT NULL,
	"seq" bigserial NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"audience" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outbox_tenant_id_seq_pk" PRIMARY KEY("tenant_id","seq")
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
	"menu_visibility" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"logo_media_id" uuid,
	"sla_stale_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"body" text DEFAULT '' NOT NULL,
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
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_kept_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","kept_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_merged_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","merged_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_templates" ADD CONSTRAINT "message_templates_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protocol_links" ADD CONSTRAINT "protocol_links_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_undos" ADD CONSTRAINT "ticket_undos_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_undos" ADD CONSTRAINT "ticket_undos_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_last_author_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","last_author_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_reason_id_reasons_tenant_id_id_fk" FOREIGN KEY ("tenant_id","reason_id") REFERENCES "public"."reasons"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcripts" ADD CONSTRAINT "transcripts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_tenant_id_subscription_id_push_subscriptions_tenant_id_id_fk" FOREIGN KEY ("tenant_id","subscription_id") REFERENCES "public"."push_subscriptions"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_deliveries" ADD CONSTRAINT "push_deliveries_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_pauses" ADD CONSTRAINT "agent_pauses_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_tokens" ADD CONSTRAINT "reset_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "early_statuses" ADD CONSTRAINT "early_statuses_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
CREATE INDEX "files_user" ON "files" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "macros_name" ON "macros" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_everyone" ON "quick_messages" USING btree ("tenant_id","key") WHERE "quick_messages"."scope" = 'everyone';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_queue" ON "quick_messages" USING btree ("tenant_id","queue_id","key") WHERE "quick_messages"."scope" = 'queue';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_mine" ON "quick_messages" USING btree ("tenant_id","user_id","key") WHERE "quick_messages"."scope" = 'mine';--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name" ON "saved_filters" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_filters_shared" ON "saved_filters" USING btree ("tenant_id","is_shared","name");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_key" ON "contact_fields" USING btree ("tenant_id",lower("key"));--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_name" ON "contact_fields" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contact_identities_contact" ON "contact_identities" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_merges_kept" ON "contact_merges" USING btree ("tenant_id","kept_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_merges_merged" ON "contact_merges" USING btree ("tenant_id","merged_id") WHERE "contact_merges"."undone_at" is null;--> statement-breakpoint
CREATE INDEX "contact_tags_tag" ON "contact_tags" USING btree ("tenant_id","tag_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_wallets_user" ON "contact_wallets" USING btree ("tenant_id","user_id","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("tenant_id","number") WHERE "contacts"."number" is not null;--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("tenant_id","search" collate "C","id") WHERE "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_created" ON "contacts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_by_last" ON "contacts" USING btree ("tenant_id",coalesce("last_message_at", 'epoch'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ("tenant_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_same_email" ON "contacts" USING btree ("tenant_id","email") WHERE "contacts"."email" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_phone" ON "contacts" USING btree ("tenant_id",right("number", 8)) WHERE "contacts"."number" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_name" ON "contacts" USING btree ("tenant_id",norm("name")) WHERE not "contacts"."is_group" and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_birthday" ON "contacts" USING btree ("tenant_id",(extract(month from "birthday_date") * 100 + extract(day from "birthday_date")),"id") WHERE "contacts"."birthday_date" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_merged" ON "contacts" USING btree ("tenant_id","merged_into_id") WHERE "contacts"."merged_into_id" is not null;--> statement-breakpoint
CREATE INDEX "bulk_jobs_recent" ON "bulk_jobs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_todo" ON "bulk_jobs" USING btree ("created_at") WHERE "bulk_jobs"."state" in ('pending', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "connections_name" ON "connections" USING btree ("tenant_id",lower("name")) WHERE "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_default" ON "connections" USING btree ("tenant_id","kind") WHERE "connections"."is_default" and "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_external" ON "connections" USING btree ("kind","external_id") WHERE "connections"."deleted_at" is null and "connections"."external_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_channel_key" ON "connections" USING btree ("channel_key") WHERE "connections"."channel_key" is not null;--> statement-breakpoint
CREATE INDEX "mentions_recent" ON "mentions" USING btree ("tenant_id","user_id","created_at","message_id");--> statement-breakpoint
CREATE INDEX "mentions_message" ON "mentions" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "mentions_ticket" ON "mentions" USING btree ("tenant_id","ticket_id","user_id");--> statement-breakpoint
CREATE INDEX "message_stars_message" ON "message_stars" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "message_stars_recent" ON "message_stars" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "message_templates_name" ON "message_templates" USING btree ("tenant_id","connection_id","name","language");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider" ON "messages" USING btree ("tenant_id","connection_id","provider_id") WHERE "messages"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_page" ON "messages" USING btree ("tenant_id","ticket_id","seq");--> statement-breakpoint
CREATE INDEX "messages_of_contact" ON "messages" USING btree ("tenant_id","contact_id","seq");--> statement-breakpoint
CREATE INDEX "messages_gallery" ON "messages" USING btree ("tenant_id","contact_id","seq") WHERE "messages"."media_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_links" ON "messages" USING btree ("tenant_id","contact_id","seq") WHERE "messages"."body" ~* 'https?://' and "messages"."type" not in ('note', 'system');--> statement-breakpoint
CREATE INDEX "messages_day" ON "messages" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_notes" ON "messages" USING btree ("tenant_id","seq") WHERE "messages"."type" = 'note';--> statement-breakpoint
CREATE INDEX "messages_queue" ON "messages" USING btree ("tenant_id","ticket_id","seq") WHERE "messages"."status" in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "messages_media" ON "messages" USING btree ("tenant_id","media_id") WHERE "messages"."media_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_stuck" ON "messages" USING btree ("tenant_id","connection_id","seq") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";--> statement-breakpoint
CREATE INDEX "messages_not_sent" ON "messages" USING btree ("tenant_id","ticket_id") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";--> statement-breakpoint
CREATE INDEX "messages_media_queue" ON "messages" USING btree ("tenant_id","id") WHERE "messages"."media_state" = 'fetching';--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("tenant_id",norm("body") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "protocol_links_hash" ON "protocol_links" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "protocol_links_ticket" ON "protocol_links" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ratings_pending" ON "ratings" USING btree ("tenant_id","connection_id","contact_id") WHERE "ratings"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "ratings_recent" ON "ratings" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ratings_of_ticket" ON "ratings" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ratings_of_user" ON "ratings" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE INDEX "ticket_logs_ticket" ON "ticket_logs" USING btree ("tenant_id","ticket_id","id");--> statement-breakpoint
CREATE INDEX "ticket_marks_ticket" ON "ticket_marks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ticket_tags_tag" ON "ticket_tags" USING btree ("tenant_id","tag_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_undos_ticket" ON "ticket_undos" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ticket_undos_due" ON "ticket_undos" USING btree ("due_at");--> statement-breakpoint
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
CREATE UNIQUE INDEX "transcripts_hash" ON "transcripts" USING btree ("tenant_id","ticket_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_unread" ON "notifications" USING btree ("tenant_id","user_id","kind","subject") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_of_user" ON "notifications" USING btree ("tenant_id","user_id","at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_ticket" ON "notifications" USING btree ("tenant_id","ticket_id") WHERE "notifications"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_old" ON "notifications" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "push_deliveries_topic" ON "push_deliveries" USING btree ("tenant_id","subscription_id","topic");--> statement-breakpoint
CREATE INDEX "push_deliveries_due" ON "push_deliveries" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "push_deliveries_of_ticket" ON "push_deliveries" USING btree ("tenant_id","ticket_id") WHERE "push_deliveries"."ticket_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_of_user" ON "push_subscriptions" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_pauses_now" ON "agent_pauses" USING btree ("tenant_id","user_id") WHERE "agent_pauses"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "agent_pauses_of_user" ON "agent_pauses" USING btree ("tenant_id","user_id","started_at");--> statement-breakpoint
CREATE INDEX "audit_recent" ON "audit" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_user" ON "audit" USING btree ("tenant_id","user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("tenant_id","entity","entity_id","created_at");--> statement-breakpoint
CREATE INDEX "queue_members_user" ON "queue_members" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "queues_name" ON "queues" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "refresh_tokens_hash" ON "refresh_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "refresh_tokens_family" ON "refresh_tokens" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_revoked" ON "refresh_tokens" USING btree ("tenant_id","revoked_at") WHERE "refresh_tokens"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX "refresh_tokens_visits" ON "refresh_tokens" USING btree ("tenant_id","expires_at") WHERE "refresh_tokens"."impersonator_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reset_tokens_hash" ON "reset_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "reset_tokens_user" ON "reset_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."deleted_at" is null and "users"."home_tenant_id" is null;--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree ("tenant_id","name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "early_statuses_key" ON "early_statuses" USING btree ("tenant_id","connection_id","provider_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "journal_event" ON "journal" USING btree ("tenant_id","connection_id","event_key");--> statement-breakpoint
CREATE INDEX "journal_waiting" ON "journal" USING btree ("tenant_id","seq") WHERE "journal"."state" = 'received';--> statement-breakpoint
CREATE INDEX "journal_order" ON "journal" USING btree ("tenant_id","connection_id","conversation","seq") WHERE "journal"."state" = 'received';--> statement-breakpoint
CREATE INDEX "journal_unknown" ON "journal" USING btree ("tenant_id","connection_id","received_at") WHERE "journal"."state" in ('unknown', 'failed');--> statement-breakpoint
CREATE INDEX "journal_old" ON "journal" USING btree ("tenant_id","received_at");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webchat_sessions_hash" ON "webchat_sessions" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "webchat_sessions_family" ON "webchat_sessions" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "webchat_sessions_visitor" ON "webchat_sessions" USING btree ("tenant_id","visitor_id");--> statement-breakpoint
CREATE INDEX "attempts_expired" ON "attempts" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "one_time_tokens_expiry" ON "one_time_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_audit_recent" ON "platform_audit" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_previous" ON "schedules" USING btree ("tenant_id","previous_id") WHERE "schedules"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "schedules_by_due" ON "schedules" USING btree ("tenant_id","due_at","id");--> statement-breakpoint
CREATE INDEX "schedules_of_contact" ON "schedules" USING btree ("tenant_id","contact_id","due_at");--> statement-breakpoint
CREATE INDEX "schedules_waiting" ON "schedules" USING btree ("attempt_at") WHERE "schedules"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "farewells_name" ON "farewells" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "places_name" ON "places" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "reasons_name" ON "reasons" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "task_comments_task" ON "task_comments" USING btree ("tenant_id","task_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_previous" ON "tasks" USING btree ("tenant_id","previous_id") WHERE "tasks"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_by_limit" ON "tasks" USING btree ("tenant_id",coalesce("limit_date", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tasks_of_owner" ON "tasks" USING btree ("tenant_id","owner_id","status");--> statement-breakpoint
CREATE INDEX "tasks_of_writer" ON "tasks" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "tasks_of_ticket" ON "tasks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "tasks_of_contact" ON "tasks" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("tenant_id","limit_date") WHERE "tasks"."reminded_at" is null and "tasks"."status" <> 'done';--> statement-breakpoint
CREATE INDEX "tasks_to_remind" ON "tasks" USING btree ("tenant_id","remind_at") WHERE "tasks"."remind_at" is not null and "tasks"."status" <> 'done';
--> statement-breakpoint
-- Trigram operators are not leakproof, so under row-level security the planner may not use their indexes. The functions
-- of search run as the platform role and hold the tenant themselves; a pattern is taken apart once, not for every row.
CREATE FUNCTION find_contacts(pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL
  LIMIT max
$$;
-- With what a list is ordered by, so that only the page itself is read from the table.
CREATE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid, search text, created_at timestamptz, last_message_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, c.search, c.created_at, c.last_message_at FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE (SELECT norm(pattern)) AND c.merged_into_id IS NULL
$$;
CREATE FUNCTION find_messages(pattern text, max integer) RETURNS TABLE (id uuid, ticket_id uuid, seq bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT m.id, m.ticket_id, m.seq FROM messages m
  WHERE m.tenant_id = current_setting('app.tenant_id')::int AND norm(m.body) LIKE (SELECT norm(pattern)) AND NOT m.is_deleted
  LIMIT max
$$;
CREATE FUNCTION find_protocols(prefix text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT t.id FROM tickets t
  WHERE t.tenant_id = current_setting('app.tenant_id')::int AND t.protocol >= prefix AND t.protocol < prefix || 'z'
  ORDER BY t.protocol DESC LIMIT max
$$;
ALTER FUNCTION find_contacts(text, integer) OWNER TO balcao_platform;
ALTER FUNCTION search_contacts(text) OWNER TO balcao_platform;
ALTER FUNCTION find_messages(text, integer) OWNER TO balcao_platform;
ALTER FUNCTION find_protocols(text, integer) OWNER TO balcao_platform;
REVOKE ALL ON FUNCTION find_contacts(text, integer), search_contacts(text), find_messages(text, integer), find_protocols(text, integer) FROM public;
GRANT EXECUTE ON FUNCTION find_contacts(text, integer), search_contacts(text), find_messages(text, integer), find_protocols(text, integer) TO balcao_app;
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
