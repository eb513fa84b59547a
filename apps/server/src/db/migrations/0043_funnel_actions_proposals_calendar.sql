CREATE TABLE "funnel_action_runs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"action_id" uuid NOT NULL,
	"action_name" text NOT NULL,
	"action_type" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"opportunity_id" uuid,
	"ticket_id" uuid,
	"visit_at" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"problem" text,
	"audience_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "funnel_action_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "funnel_action_runs_target" CHECK (("funnel_action_runs"."opportunity_id" is null) <> ("funnel_action_runs"."ticket_id" is null))
);
--> statement-breakpoint
CREATE TABLE "pipeline_actions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"active" boolean NOT NULL,
	"connection_id" uuid,
	"actions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"look_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"action_type" text NOT NULL,
	"days_to_trigger" integer NOT NULL,
	"position" integer NOT NULL,
	"template" jsonb,
	"target_stage_id" uuid,
	"target_status" text,
	"reason_id" uuid,
	"chat_flow_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pipeline_actions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_actions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"active" boolean NOT NULL,
	"connection_id" uuid,
	"actions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"look_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"action_type" text NOT NULL,
	"hours_without_response" integer NOT NULL,
	"started_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_actions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "calendar_events" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"opportunity_id" uuid,
	"summary" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"location" text DEFAULT '' NOT NULL,
	"start_day" date,
	"end_day" date,
	"start_at" timestamp (3) with time zone,
	"end_at" timestamp (3) with time zone,
	"attendees" text[] DEFAULT '{}' NOT NULL,
	"url" text,
	"is_gone" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"pushed" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "calendar_syncs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"sync_token" text,
	"is_leaving" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"synced_at" timestamp (3) with time zone,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_syncs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "funnel_goals" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"user_id" uuid,
	"month" date NOT NULL,
	"measure" text NOT NULL,
	"target" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "funnel_goals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "opportunity_files" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"media_id" uuid NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "opportunity_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"items" jsonb NOT NULL,
	"value" bigint NOT NULL,
	"hash" text NOT NULL,
	"user_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"accepted_name" text,
	"accepted_ip" text,
	"accepted_user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "proposals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "opportunity_id" uuid;--> statement-breakpoint
ALTER TABLE "opportunity_moves" ADD COLUMN "rule" text;--> statement-breakpoint
ALTER TABLE "funnel_action_runs" ADD CONSTRAINT "funnel_action_runs_tenant_id_opportunity_id_opportunities_tenant_id_id_fk" FOREIGN KEY ("tenant_id","opportunity_id") REFERENCES "public"."opportunities"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_action_runs" ADD CONSTRAINT "funnel_action_runs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_pipeline_id_pipelines_tenant_id_id_fk" FOREIGN KEY ("tenant_id","pipeline_id") REFERENCES "public"."pipelines"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_stage_id_stages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","stage_id") REFERENCES "public"."stages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_target_stage_id_stages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","target_stage_id") REFERENCES "public"."stages"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_reason_id_outcome_reasons_tenant_id_id_fk" FOREIGN KEY ("tenant_id","reason_id") REFERENCES "public"."outcome_reasons"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pipeline_actions" ADD CONSTRAINT "pipeline_actions_tenant_id_chat_flow_id_chat_flows_tenant_id_id_fk" FOREIGN KEY ("tenant_id","chat_flow_id") REFERENCES "public"."chat_flows"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_actions" ADD CONSTRAINT "ticket_actions_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_syncs" ADD CONSTRAINT "calendar_syncs_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_goals" ADD CONSTRAINT "funnel_goals_tenant_id_pipeline_id_pipelines_tenant_id_id_fk" FOREIGN KEY ("tenant_id","pipeline_id") REFERENCES "public"."pipelines"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_goals" ADD CONSTRAINT "funnel_goals_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opportunity_files" ADD CONSTRAINT "opportunity_files_tenant_id_opportunity_id_opportunities_tenant_id_id_fk" FOREIGN KEY ("tenant_id","opportunity_id") REFERENCES "public"."opportunities"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opportunity_files" ADD CONSTRAINT "opportunity_files_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opportunity_files" ADD CONSTRAINT "opportunity_files_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_tenant_id_opportunity_id_opportunities_tenant_id_id_fk" FOREIGN KEY ("tenant_id","opportunity_id") REFERENCES "public"."opportunities"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_action_runs_opportunity" ON "funnel_action_runs" USING btree ("tenant_id","action_id","opportunity_id","visit_at") WHERE "funnel_action_runs"."opportunity_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_action_runs_ticket" ON "funnel_action_runs" USING btree ("tenant_id","action_id","ticket_id","visit_at") WHERE "funnel_action_runs"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX "funnel_action_runs_waiting" ON "funnel_action_runs" USING btree ("attempt_at") WHERE "funnel_action_runs"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "funnel_action_runs_recent" ON "funnel_action_runs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "funnel_action_runs_of_opportunity" ON "funnel_action_runs" USING btree ("tenant_id","opportunity_id");--> statement-breakpoint
CREATE INDEX "funnel_action_runs_of_ticket" ON "funnel_action_runs" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "funnel_action_runs_audience" ON "funnel_action_runs" USING btree ("tenant_id","audience_id") WHERE "funnel_action_runs"."audience_id" is not null;--> statement-breakpoint
CREATE INDEX "pipeline_actions_stage" ON "pipeline_actions" USING btree ("tenant_id","stage_id");--> statement-breakpoint
CREATE INDEX "pipeline_actions_due" ON "pipeline_actions" USING btree ("look_at") WHERE "pipeline_actions"."active";--> statement-breakpoint
CREATE INDEX "ticket_actions_due" ON "ticket_actions" USING btree ("look_at") WHERE "ticket_actions"."active";--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_events_event" ON "calendar_events" USING btree ("tenant_id","integration_id","event_id");--> statement-breakpoint
CREATE INDEX "calendar_events_opportunity" ON "calendar_events" USING btree ("tenant_id","integration_id","opportunity_id") WHERE "calendar_events"."opportunity_id" is not null;--> statement-breakpoint
CREATE INDEX "calendar_events_day" ON "calendar_events" USING btree ("tenant_id",coalesce("start_at", "start_day"::timestamp at time zone 'UTC'));--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_syncs_integration" ON "calendar_syncs" USING btree ("tenant_id","integration_id");--> statement-breakpoint
CREATE INDEX "calendar_syncs_due" ON "calendar_syncs" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_goals_one" ON "funnel_goals" USING btree ("tenant_id","pipeline_id","month","user_id","measure") WHERE "funnel_goals"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_goals_team" ON "funnel_goals" USING btree ("tenant_id","pipeline_id","month","measure") WHERE "funnel_goals"."user_id" is null;--> statement-breakpoint
CREATE INDEX "funnel_goals_user" ON "funnel_goals" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "opportunity_files_once" ON "opportunity_files" USING btree ("tenant_id","opportunity_id","media_id");--> statement-breakpoint
CREATE INDEX "opportunity_files_media" ON "opportunity_files" USING btree ("tenant_id","media_id");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_number" ON "proposals" USING btree ("tenant_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_hash" ON "proposals" USING btree ("tenant_id","hash");--> statement-breakpoint
CREATE INDEX "proposals_of" ON "proposals" USING btree ("tenant_id","opportunity_id","id");--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_opportunity_id_opportunities_tenant_id_id_fk" FOREIGN KEY ("tenant_id","opportunity_id") REFERENCES "public"."opportunities"("tenant_id","id") ON DELETE set null ("opportunity_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_of_opportunity" ON "tasks" USING btree ("tenant_id","opportunity_id");--> statement-breakpoint
CREATE INDEX "opportunities_in_stage" ON "opportunities" USING btree ("tenant_id","stage_id","stage_since") WHERE "opportunities"."status" = 'open';