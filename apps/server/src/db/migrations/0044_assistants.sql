CREATE TABLE "assistant_cases" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"assistant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"lines" jsonb NOT NULL,
	"expects" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_cases_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "assistant_evaluations" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"assistant_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"is_published" boolean NOT NULL,
	"integration_id" uuid,
	"why" text NOT NULL,
	"passed" integer NOT NULL,
	"total" integer NOT NULL,
	"cost_micros" bigint NOT NULL,
	"ms" integer NOT NULL,
	"results" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_evaluations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "assistant_runs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"assistant_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"state" text DEFAULT 'thinking' NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"heard_seq" bigint NOT NULL,
	"asked" text DEFAULT '' NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"plan" jsonb,
	"outcome" text,
	"hand_over" text,
	"passages" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"integration_id" uuid,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"ms" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "assistant_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "assistant_sessions" (
	"tenant_id" integer NOT NULL,
	"ticket_id" uuid NOT NULL,
	"assistant_id" uuid,
	"from_seq" bigint DEFAULT 0 NOT NULL,
	"heard_seq" bigint DEFAULT 0 NOT NULL,
	"turns" integer DEFAULT 0 NOT NULL,
	"bot_session" text,
	"vars" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"pending" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_sessions_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);
--> statement-breakpoint
CREATE TABLE "assistant_versions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"assistant_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"config" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"signed_reason" text DEFAULT '' NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_versions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "assistants" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"all_tickets" boolean DEFAULT false NOT NULL,
	"connection_ids" uuid[] DEFAULT '{}' NOT NULL,
	"queue_ids" uuid[] DEFAULT '{}' NOT NULL,
	"hours" text DEFAULT 'always' NOT NULL,
	"config" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"bot" text,
	"published_id" uuid,
	"user_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistants_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_bases" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_bases_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_chunks" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"heading" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"folded" text GENERATED ALWAYS AS (norm(heading || ' ' || body)) STORED,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('portuguese', norm(heading || ' ' || body))) STORED,
	CONSTRAINT "knowledge_chunks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_gaps" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"question" text NOT NULL,
	"plain" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"assistant_id" uuid,
	"ticket_id" uuid,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_gaps_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_sources" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"url" text,
	"media_id" uuid,
	"body" text DEFAULT '' NOT NULL,
	"refresh_hours" integer,
	"state" text DEFAULT 'waiting' NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now(),
	"read_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_sources_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "assistant_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "assistant_cases" ADD CONSTRAINT "assistant_cases_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_evaluations" ADD CONSTRAINT "assistant_evaluations_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_runs" ADD CONSTRAINT "assistant_runs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_runs" ADD CONSTRAINT "assistant_runs_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_runs" ADD CONSTRAINT "assistant_runs_tenant_id_version_id_assistant_versions_tenant_id_id_fk" FOREIGN KEY ("tenant_id","version_id") REFERENCES "public"."assistant_versions"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_tenant_id_base_id_knowledge_bases_tenant_id_id_fk" FOREIGN KEY ("tenant_id","base_id") REFERENCES "public"."knowledge_bases"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_tenant_id_source_id_knowledge_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."knowledge_sources"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_gaps" ADD CONSTRAINT "knowledge_gaps_tenant_id_assistant_id_assistants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","assistant_id") REFERENCES "public"."assistants"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_gaps" ADD CONSTRAINT "knowledge_gaps_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_sources" ADD CONSTRAINT "knowledge_sources_tenant_id_base_id_knowledge_bases_tenant_id_id_fk" FOREIGN KEY ("tenant_id","base_id") REFERENCES "public"."knowledge_bases"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_sources" ADD CONSTRAINT "knowledge_sources_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_cases_name" ON "assistant_cases" USING btree ("tenant_id","assistant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "assistant_evaluations_recent" ON "assistant_evaluations" USING btree ("tenant_id","assistant_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_runs_active" ON "assistant_runs" USING btree ("tenant_id","ticket_id") WHERE "assistant_runs"."state" <> 'done';--> statement-breakpoint
CREATE INDEX "assistant_runs_ticket" ON "assistant_runs" USING btree ("tenant_id","ticket_id","created_at");--> statement-breakpoint
CREATE INDEX "assistant_runs_assistant" ON "assistant_runs" USING btree ("tenant_id","assistant_id","created_at");--> statement-breakpoint
CREATE INDEX "assistant_runs_version" ON "assistant_runs" USING btree ("tenant_id","version_id");--> statement-breakpoint
CREATE INDEX "assistant_runs_ended" ON "assistant_runs" USING btree ("tenant_id","ended_at") WHERE "assistant_runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "assistant_sessions_assistant" ON "assistant_sessions" USING btree ("tenant_id","assistant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_versions_number" ON "assistant_versions" USING btree ("tenant_id","assistant_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "assistants_name" ON "assistants" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_bases_name" ON "knowledge_bases" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "knowledge_chunks_source" ON "knowledge_chunks" USING btree ("tenant_id","source_id","position");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_base" ON "knowledge_chunks" USING btree ("tenant_id","base_id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_words" ON "knowledge_chunks" USING gin ("tenant_id","words");--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_gaps_plain" ON "knowledge_gaps" USING btree ("tenant_id","plain");--> statement-breakpoint
CREATE INDEX "knowledge_gaps_recent" ON "knowledge_gaps" USING btree ("tenant_id","state","last_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_sources_base" ON "knowledge_sources" USING btree ("tenant_id","base_id","created_at");--> statement-breakpoint
CREATE INDEX "knowledge_sources_due" ON "knowledge_sources" USING btree ("due_at") WHERE "knowledge_sources"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "knowledge_sources_media" ON "knowledge_sources" USING btree ("tenant_id","media_id") WHERE "knowledge_sources"."media_id" is not null;--> statement-breakpoint
-- Of an assistant, only what decides where it answers is known everywhere; what it says is its published version.
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON assistants FOR EACH ROW EXECUTE FUNCTION count_directory_change('assistants');
CREATE TRIGGER directory_changed AFTER UPDATE OF name, is_active, published_id, bot, all_tickets, connection_ids, queue_ids, hours ON assistants FOR EACH ROW
  WHEN ((old.name, old.is_active, old.published_id, old.bot, old.all_tickets, old.connection_ids, old.queue_ids, old.hours)
    IS DISTINCT FROM (new.name, new.is_active, new.published_id, new.bot, new.all_tickets, new.connection_ids, new.queue_ids, new.hours))
  EXECUTE FUNCTION count_directory_change('assistants');
--> statement-breakpoint
-- What an assistant was about to say is said by nobody once a person has the conversation, or another answers it.
CREATE FUNCTION overtake_assistant_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assistant_runs SET state = 'done', outcome = 'overtaken', ended_at = now()
    WHERE tenant_id = new.tenant_id AND ticket_id = new.id AND state <> 'done';
  RETURN NULL;
END $$;
CREATE TRIGGER assistant_overtaken AFTER UPDATE OF bot, status, user_id ON tickets FOR EACH ROW
  WHEN (old.bot IS NOT NULL AND (new.bot IS DISTINCT FROM old.bot OR new.status = 'closed' OR (new.status = 'open' AND new.user_id IS NOT NULL)))
  EXECUTE FUNCTION overtake_assistant_run();
