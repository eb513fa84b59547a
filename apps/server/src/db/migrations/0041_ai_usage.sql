CREATE TABLE "ai_days" (
	"tenant_id" integer NOT NULL,
	"day" date NOT NULL,
	"purpose" text NOT NULL,
	"assistant_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ai_days_tenant_id_day_purpose_assistant_id_integration_id_pk" PRIMARY KEY("tenant_id","day","purpose","assistant_id","integration_id")
);
--> statement-breakpoint
CREATE TABLE "ai_usage" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"model" text NOT NULL,
	"purpose" text NOT NULL,
	"assistant_id" uuid,
	"ticket_id" uuid,
	"user_id" uuid,
	"day" date NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 1 NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"cost_micros" bigint NOT NULL,
	"ms" integer,
	"result" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "ai_usage_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ai_warnings" (
	"tenant_id" integer NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "ai_warnings_tenant_id_month_pk" PRIMARY KEY("tenant_id","month")
);
--> statement-breakpoint
CREATE INDEX "ai_usage_newest" ON "ai_usage" USING btree ("tenant_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ai_usage_ticket" ON "ai_usage" USING btree ("tenant_id","ticket_id","created_at") WHERE "ai_usage"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX "ai_usage_open" ON "ai_usage" USING btree ("tenant_id","created_at") WHERE "ai_usage"."state" = 'open';--> statement-breakpoint
CREATE INDEX "ai_usage_results" ON "ai_usage" USING btree ("tenant_id","ended_at") WHERE "ai_usage"."result" is not null;