CREATE TABLE "chat_flow_calls" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"vars" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_flow_calls_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_flow_files" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"version_id" uuid,
	"media_id" uuid NOT NULL,
	CONSTRAINT "chat_flow_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_flow_nodes" (
	"tenant_id" integer NOT NULL,
	"flow_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"node" jsonb,
	"revision" integer NOT NULL,
	CONSTRAINT "chat_flow_nodes_tenant_id_flow_id_node_id_pk" PRIMARY KEY("tenant_id","flow_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "chat_flow_runs" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"started_by" text NOT NULL,
	"user_id" uuid,
	"state" jsonb NOT NULL,
	"heard_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_why" text,
	"ended_to" text,
	CONSTRAINT "chat_flow_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_flow_steps" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"node_id" text NOT NULL,
	"port" text,
	"note" text DEFAULT '' NOT NULL,
	"problem" text,
	"ms" real DEFAULT 0 NOT NULL,
	"ended_to" text,
	"ended_why" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_flow_steps_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_flow_versions" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"nodes" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_flow_versions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "chat_flows" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"celular_teste" text,
	"model" text,
	"user_id" uuid,
	"settings" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"settings_revision" integer DEFAULT 1 NOT NULL,
	"published_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_flows_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "is_bot_blocked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "chat_flow_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "chat_flow_id" uuid;--> statement-breakpoint
ALTER TABLE "chat_flow_calls" ADD CONSTRAINT "chat_flow_calls_tenant_id_run_id_chat_flow_runs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."chat_flow_runs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_files" ADD CONSTRAINT "chat_flow_files_tenant_id_flow_id_chat_flows_tenant_id_id_fk" FOREIGN KEY ("tenant_id","flow_id") REFERENCES "public"."chat_flows"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_files" ADD CONSTRAINT "chat_flow_files_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_nodes" ADD CONSTRAINT "chat_flow_nodes_tenant_id_flow_id_chat_flows_tenant_id_id_fk" FOREIGN KEY ("tenant_id","flow_id") REFERENCES "public"."chat_flows"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_runs" ADD CONSTRAINT "chat_flow_runs_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_runs" ADD CONSTRAINT "chat_flow_runs_tenant_id_flow_id_chat_flows_tenant_id_id_fk" FOREIGN KEY ("tenant_id","flow_id") REFERENCES "public"."chat_flows"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_steps" ADD CONSTRAINT "chat_flow_steps_tenant_id_run_id_chat_flow_runs_tenant_id_id_fk" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."chat_flow_runs"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_versions" ADD CONSTRAINT "chat_flow_versions_tenant_id_flow_id_chat_flows_tenant_id_id_fk" FOREIGN KEY ("tenant_id","flow_id") REFERENCES "public"."chat_flows"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flow_versions" ADD CONSTRAINT "chat_flow_versions_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_flows" ADD CONSTRAINT "chat_flows_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_flow_calls_run" ON "chat_flow_calls" USING btree ("tenant_id","run_id","step_id");--> statement-breakpoint
CREATE INDEX "chat_flow_calls_due" ON "chat_flow_calls" USING btree ("due_at") WHERE "chat_flow_calls"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "chat_flow_files_once" ON "chat_flow_files" USING btree ("tenant_id","flow_id","media_id",coalesce("version_id", "flow_id"));--> statement-breakpoint
CREATE INDEX "chat_flow_files_media" ON "chat_flow_files" USING btree ("tenant_id","media_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_flow_runs_active" ON "chat_flow_runs" USING btree ("tenant_id","ticket_id") WHERE "chat_flow_runs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "chat_flow_runs_ticket" ON "chat_flow_runs" USING btree ("tenant_id","ticket_id","created_at");--> statement-breakpoint
CREATE INDEX "chat_flow_runs_flow" ON "chat_flow_runs" USING btree ("tenant_id","flow_id","created_at");--> statement-breakpoint
CREATE INDEX "chat_flow_runs_running" ON "chat_flow_runs" USING btree ("tenant_id","flow_id","version_id") WHERE "chat_flow_runs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "chat_flow_runs_ended" ON "chat_flow_runs" USING btree ("tenant_id","ended_at") WHERE "chat_flow_runs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "chat_flow_steps_run" ON "chat_flow_steps" USING btree ("tenant_id","run_id","id");--> statement-breakpoint
CREATE INDEX "chat_flow_steps_numbers" ON "chat_flow_steps" USING btree ("tenant_id","flow_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_flow_versions_number" ON "chat_flow_versions" USING btree ("tenant_id","flow_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_flows_name" ON "chat_flows" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
-- Of a flow, only what decides where it starts is known everywhere.
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON chat_flows FOR EACH ROW EXECUTE FUNCTION count_directory_change('flows');
CREATE TRIGGER directory_changed AFTER UPDATE OF name, is_active, celular_teste, published_id ON chat_flows FOR EACH ROW
  WHEN ((old.name, old.is_active, old.celular_teste, old.published_id) IS DISTINCT FROM (new.name, new.is_active, new.celular_teste, new.published_id))
  EXECUTE FUNCTION count_directory_change('flows');
DROP TRIGGER directory_changed ON connections;
CREATE TRIGGER directory_changed AFTER UPDATE OF name, options ON connections FOR EACH ROW
  WHEN (old.name IS DISTINCT FROM new.name OR old.options ->> 'chatFlowId' IS DISTINCT FROM new.options ->> 'chatFlowId')
  EXECUTE FUNCTION count_directory_change('connections');
--> statement-breakpoint
-- A conversation that is led no more, whoever took it, has no run in hand.
CREATE FUNCTION end_chat_flow_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chat_flow_runs SET ended_at = now(), ended_why = 'taken', ended_to = 'person'
    WHERE tenant_id = new.tenant_id AND ticket_id = new.id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER chat_flow_let_go AFTER UPDATE OF chat_flow_id ON tickets FOR EACH ROW
  WHEN (old.chat_flow_id IS NOT NULL AND new.chat_flow_id IS DISTINCT FROM old.chat_flow_id) EXECUTE FUNCTION end_chat_flow_run();
