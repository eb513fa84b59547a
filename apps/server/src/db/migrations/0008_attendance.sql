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
CREATE TABLE "transcripts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcripts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
ALTER TABLE "contacts" ADD COLUMN "merged_into_id" uuid;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "farewell_message" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "send_evaluation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "payload" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "send_type" text DEFAULT 'chat' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_forwarded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "bot" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "priority" text DEFAULT 'normal' NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "value" bigint;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "shared_with" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "paused_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "pause_reason" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "wakes_on_reply" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "paused_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "merged_into_id" uuid;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "first_answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "sla_first_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "sla_resolve_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "sla_due_at" timestamp (3) with time zone GENERATED ALWAYS AS (least(case when first_answered_at is null then sla_first_due_at end, sla_resolve_due_at)) STORED;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "sla_first_breached_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "sla_resolve_breached_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "queue_members" ADD COLUMN "last_assigned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "distribution" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "accept_within" integer;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "business_hours" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "absence_message" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "away_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "away_reason" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "capacity" integer;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_kept_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","kept_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_merged_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","merged_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_stars" ADD CONSTRAINT "message_stars_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_templates" ADD CONSTRAINT "message_templates_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "protocol_links" ADD CONSTRAINT "protocol_links_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_marks" ADD CONSTRAINT "ticket_marks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcripts" ADD CONSTRAINT "transcripts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_pauses" ADD CONSTRAINT "agent_pauses_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "macros_name" ON "macros" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name" ON "saved_filters" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_filters_shared" ON "saved_filters" USING btree ("tenant_id","is_shared","name");--> statement-breakpoint
CREATE INDEX "contact_merges_kept" ON "contact_merges" USING btree ("tenant_id","kept_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_merges_merged" ON "contact_merges" USING btree ("tenant_id","merged_id") WHERE "contact_merges"."undone_at" is null;--> statement-breakpoint
CREATE INDEX "bulk_jobs_recent" ON "bulk_jobs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_todo" ON "bulk_jobs" USING btree ("created_at") WHERE "bulk_jobs"."state" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "mentions_recent" ON "mentions" USING btree ("tenant_id","user_id","created_at","message_id");--> statement-breakpoint
CREATE INDEX "mentions_message" ON "mentions" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "mentions_ticket" ON "mentions" USING btree ("tenant_id","ticket_id","user_id");--> statement-breakpoint
CREATE INDEX "message_stars_message" ON "message_stars" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE INDEX "message_stars_recent" ON "message_stars" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "message_templates_name" ON "message_templates" USING btree ("tenant_id","connection_id","name","language");--> statement-breakpoint
CREATE UNIQUE INDEX "protocol_links_hash" ON "protocol_links" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "protocol_links_ticket" ON "protocol_links" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ratings_pending" ON "ratings" USING btree ("tenant_id","connection_id","contact_id") WHERE "ratings"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "ratings_recent" ON "ratings" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ratings_of_ticket" ON "ratings" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "ratings_of_user" ON "ratings" USING btree ("tenant_id","user_id","created_at");--> statement-breakpoint
CREATE INDEX "ticket_marks_ticket" ON "ticket_marks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transcripts_hash" ON "transcripts" USING btree ("tenant_id","ticket_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_pauses_now" ON "agent_pauses" USING btree ("tenant_id","user_id") WHERE "agent_pauses"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "agent_pauses_of_user" ON "agent_pauses" USING btree ("tenant_id","user_id","started_at");--> statement-breakpoint
CREATE INDEX "tickets_waiting" ON "tickets" USING btree ("tenant_id","status",coalesce("waiting_since", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tickets_sla" ON "tickets" USING btree ("tenant_id","status",coalesce("sla_due_at", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tickets_to_wake" ON "tickets" USING btree ("paused_until") WHERE "tickets"."paused_until" is not null;