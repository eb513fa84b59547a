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
ALTER TABLE "connections" ADD COLUMN "abilities" jsonb NOT NULL DEFAULT '{"supports": ["text"], "windowHours": null, "textLimits": {"text": 4096, "caption": 1024}, "showsAuthor": false, "buttonLimits": null}';--> statement-breakpoint
ALTER TABLE "connections" ALTER COLUMN "abilities" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "proxy_id" uuid;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "uses_session" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "login_code" text;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "login_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "check_due_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "health" jsonb;--> statement-breakpoint
ALTER TABLE "connection_leases" ADD CONSTRAINT "connection_leases_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_calls" ADD CONSTRAINT "session_calls_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_state" ADD CONSTRAINT "session_state_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_leases_owner" ON "connection_leases" USING btree ("tenant_id","owner");--> statement-breakpoint
CREATE INDEX "session_calls_waiting" ON "session_calls" USING btree ("tenant_id","connection_id","created_at") WHERE "session_calls"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "session_calls_old" ON "session_calls" USING btree ("tenant_id","deadline_at");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_name" ON "integrations" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "integrations_family" ON "integrations" USING btree ("tenant_id","family","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_grants_owner" ON "oauth_grants" USING btree ("tenant_id","integration_id");--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_proxy_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","proxy_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connections_proxy" ON "connections" USING btree ("tenant_id","proxy_id") WHERE "connections"."proxy_id" is not null;