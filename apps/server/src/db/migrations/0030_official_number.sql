CREATE TABLE "message_costs" (
	"tenant_id" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"category" text NOT NULL,
	"kind" text,
	"is_billable" boolean NOT NULL,
	"country" text,
	CONSTRAINT "message_costs_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "alerts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "message_templates" ADD COLUMN "rejected_reason" text;--> statement-breakpoint
ALTER TABLE "message_templates" ADD COLUMN "quality" text;--> statement-breakpoint
ALTER TABLE "message_costs" ADD CONSTRAINT "message_costs_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_costs" ADD CONSTRAINT "message_costs_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_costs_month" ON "message_costs" USING btree ("tenant_id","at");