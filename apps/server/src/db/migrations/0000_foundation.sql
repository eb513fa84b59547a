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
CREATE TABLE "contact_identities" (
	"tenant_id" integer NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"contact_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
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
	"last_message_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (norm(name || ' ' || coalesce(number, '') || ' ' || coalesce(email, ''))) STORED,
	CONSTRAINT "contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	"channel_key" text,
	"hook_secret" text NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"last_inbound_at" timestamp (3) with time zone,
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
	"body" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_tenant_id_user_id_ticket_id_pk" PRIMARY KEY("tenant_id","user_id","ticket_id")
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
	"quoted_id" uuid,
	"reactions" jsonb,
	"status" text NOT NULL,
	"error" text,
	"provider_id" text,
	"user_id" uuid,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_by" text,
	"claimed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	"chat_flow_id" uuid,
	"is_group" boolean DEFAULT false NOT NULL,
	"unread_messages" integer DEFAULT 0 NOT NULL,
	"answered" boolean DEFAULT true NOT NULL,
	"last_message" text DEFAULT '' NOT NULL,
	"last_message_type" text DEFAULT 'text' NOT NULL,
	"last_message_at" timestamp (3) with time zone,
	"last_inbound_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tickets_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	CONSTRAINT "queue_members_tenant_id_queue_id_user_id_pk" PRIMARY KEY("tenant_id","queue_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "queues" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
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
	"configs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"menu_permissions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"allowed_hours" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"token_version" integer DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"last_login_at" timestamp (3) with time zone,
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
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_wallets" ADD CONSTRAINT "contact_wallets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_logs" ADD CONSTRAINT "ticket_logs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_tenant_id_tag_id_tags_tenant_id_id_fk" FOREIGN KEY ("tenant_id","tag_id") REFERENCES "public"."tags"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_members" ADD CONSTRAINT "queue_members_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_tokens" ADD CONSTRAINT "reset_tokens_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "early_statuses" ADD CONSTRAINT "early_statuses_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webchat_sessions" ADD CONSTRAINT "webchat_sessions_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_user" ON "files" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_everyone" ON "quick_messages" USING btree ("tenant_id","key") WHERE "quick_messages"."scope" = 'everyone';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_queue" ON "quick_messages" USING btree ("tenant_id","queue_id","key") WHERE "quick_messages"."scope" = 'queue';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_messages_mine" ON "quick_messages" USING btree ("tenant_id","user_id","key") WHERE "quick_messages"."scope" = 'mine';--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contact_identities_contact" ON "contact_identities" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_tags_tag" ON "contact_tags" USING btree ("tenant_id","tag_id","contact_id");--> statement-breakpoint
CREATE INDEX "contact_wallets_user" ON "contact_wallets" USING btree ("tenant_id","user_id","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_number" ON "contacts" USING btree ("tenant_id","number") WHERE "contacts"."number" is not null;--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("tenant_id","name","id");--> statement-breakpoint
CREATE INDEX "contacts_by_created" ON "contacts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_by_last" ON "contacts" USING btree ("tenant_id","last_message_at","id");--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ("tenant_id","search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "connections_name" ON "connections" USING btree ("tenant_id",lower("name")) WHERE "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_default" ON "connections" USING btree ("tenant_id","kind") WHERE "connections"."is_default" and "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_external" ON "connections" USING btree ("kind","external_id") WHERE "connections"."deleted_at" is null and "connections"."external_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_channel_key" ON "connections" USING btree ("channel_key") WHERE "connections"."channel_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider" ON "messages" USING btree ("tenant_id","connection_id","provider_id") WHERE "messages"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_page" ON "messages" USING btree ("tenant_id","ticket_id","seq");--> statement-breakpoint
CREATE INDEX "messages_of_contact" ON "messages" USING btree ("tenant_id","contact_id","seq");--> statement-breakpoint
CREATE INDEX "messages_day" ON "messages" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_queue" ON "messages" USING btree ("tenant_id","ticket_id","seq") WHERE "messages"."status" in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "messages_media_queue" ON "messages" USING btree ("tenant_id","id") WHERE "messages"."media_state" = 'fetching';--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("tenant_id",norm("body") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "ticket_logs_ticket" ON "ticket_logs" USING btree ("tenant_id","ticket_id","id");--> statement-breakpoint
CREATE INDEX "ticket_tags_tag" ON "ticket_tags" USING btree ("tenant_id","tag_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_active" ON "tickets" USING btree ("tenant_id","connection_id","contact_id") WHERE "tickets"."status" <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_protocol" ON "tickets" USING btree ("tenant_id","protocol");--> statement-breakpoint
CREATE INDEX "tickets_inbox" ON "tickets" USING btree ("tenant_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "tickets_of_user" ON "tickets" USING btree ("tenant_id","user_id","status");--> statement-breakpoint
CREATE INDEX "tickets_of_queue" ON "tickets" USING btree ("tenant_id","queue_id","status");--> statement-breakpoint
CREATE INDEX "tickets_of_contact" ON "tickets" USING btree ("tenant_id","contact_id","created_at");--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "tickets_closed" ON "tickets" USING btree ("tenant_id","closed_at") WHERE "tickets"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "audit_recent" ON "audit" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("tenant_id","entity","entity_id","created_at");--> statement-breakpoint
CREATE INDEX "queue_members_user" ON "queue_members" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "queues_name" ON "queues" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "refresh_tokens_hash" ON "refresh_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "refresh_tokens_family" ON "refresh_tokens" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_user" ON "refresh_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reset_tokens_hash" ON "reset_tokens" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "reset_tokens_user" ON "reset_tokens" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree ("tenant_id","name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "early_statuses_key" ON "early_statuses" USING btree ("tenant_id","connection_id","provider_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "journal_event" ON "journal" USING btree ("tenant_id","connection_id","event_key");--> statement-breakpoint
CREATE INDEX "journal_waiting" ON "journal" USING btree ("tenant_id","seq") WHERE "journal"."state" = 'received';--> statement-breakpoint
CREATE INDEX "journal_unknown" ON "journal" USING btree ("tenant_id","connection_id","received_at") WHERE "journal"."state" in ('unknown', 'failed');--> statement-breakpoint
CREATE INDEX "journal_old" ON "journal" USING btree ("tenant_id","received_at");--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webchat_sessions_hash" ON "webchat_sessions" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "webchat_sessions_family" ON "webchat_sessions" USING btree ("tenant_id","family_id");--> statement-breakpoint
CREATE INDEX "webchat_sessions_visitor" ON "webchat_sessions" USING btree ("tenant_id","visitor_id");--> statement-breakpoint
CREATE INDEX "attempts_expired" ON "attempts" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "one_time_tokens_expiry" ON "one_time_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_audit_recent" ON "platform_audit" USING btree ("created_at","id");