CREATE TABLE "connection_groups" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"our_role" text,
	"is_admins_only" boolean,
	"invite_url" text,
	"left_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_groups_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_act_rows" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_id" uuid,
	"name" text NOT NULL,
	"act" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"people" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"invite_url" text,
	"undo" jsonb,
	"media_id" uuid,
	"undo_media_id" uuid,
	"is_counted" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "group_act_rows_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_pace" (
	"tenant_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "group_pace_tenant_id_connection_id_pk" PRIMARY KEY("tenant_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "group_bans" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_ids" uuid[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"number" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_bans_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_farewells" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_ids" uuid[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_farewells_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_greetings" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_ids" uuid[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_greetings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_logs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"rule_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"event_key" text NOT NULL,
	"member_keys" text[] NOT NULL,
	"member_name" text NOT NULL,
	"message_id" uuid,
	"action" text,
	"why" text DEFAULT '' NOT NULL,
	"warned_at" timestamp (3) with time zone,
	"state" text DEFAULT 'waiting' NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "group_logs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "group_words" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"group_ids" uuid[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"word" text NOT NULL,
	"action" text DEFAULT 'delete' NOT NULL,
	"warning" text DEFAULT '' NOT NULL,
	"spares_admins" boolean DEFAULT true NOT NULL,
	"spared" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_words_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "connection_groups" ADD CONSTRAINT "connection_groups_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_groups" ADD CONSTRAINT "connection_groups_tenant_id_group_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_act_rows" ADD CONSTRAINT "group_act_rows_tenant_id_job_id_bulk_jobs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","job_id") REFERENCES "public"."bulk_jobs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_act_rows" ADD CONSTRAINT "group_act_rows_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_act_rows" ADD CONSTRAINT "group_act_rows_tenant_id_group_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_act_rows" ADD CONSTRAINT "group_act_rows_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_act_rows" ADD CONSTRAINT "group_act_rows_tenant_id_undo_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","undo_media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_pace" ADD CONSTRAINT "group_pace_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_bans" ADD CONSTRAINT "group_bans_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_farewells" ADD CONSTRAINT "group_farewells_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_farewells" ADD CONSTRAINT "group_farewells_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_greetings" ADD CONSTRAINT "group_greetings_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_greetings" ADD CONSTRAINT "group_greetings_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_logs" ADD CONSTRAINT "group_logs_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_logs" ADD CONSTRAINT "group_logs_tenant_id_group_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_words" ADD CONSTRAINT "group_words_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connection_groups_one" ON "connection_groups" USING btree ("tenant_id","connection_id","group_id");--> statement-breakpoint
CREATE INDEX "connection_groups_of_group" ON "connection_groups" USING btree ("tenant_id","group_id");--> statement-breakpoint
CREATE INDEX "group_act_rows_of_job" ON "group_act_rows" USING btree ("tenant_id","job_id","place");--> statement-breakpoint
CREATE INDEX "group_act_rows_todo" ON "group_act_rows" USING btree ("tenant_id","connection_id","due_at") WHERE "group_act_rows"."state" in ('waiting', 'doing');--> statement-breakpoint
CREATE INDEX "group_bans_number" ON "group_bans" USING btree ("tenant_id","connection_id","number");--> statement-breakpoint
CREATE INDEX "group_farewells_of" ON "group_farewells" USING btree ("tenant_id","connection_id");--> statement-breakpoint
CREATE INDEX "group_greetings_of" ON "group_greetings" USING btree ("tenant_id","connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "group_logs_event" ON "group_logs" USING btree ("tenant_id","connection_id","event_key");--> statement-breakpoint
CREATE INDEX "group_logs_recent" ON "group_logs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "group_logs_of_group" ON "group_logs" USING btree ("tenant_id","group_id","created_at","id");--> statement-breakpoint
CREATE INDEX "group_logs_due" ON "group_logs" USING btree ("due_at") WHERE "group_logs"."state" in ('waiting', 'doing');--> statement-breakpoint
CREATE INDEX "group_words_word" ON "group_words" USING btree ("tenant_id","connection_id","word");