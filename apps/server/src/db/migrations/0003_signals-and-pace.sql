CREATE TABLE "connection_pace" (
	"tenant_id" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"rest_ms" integer,
	"jitter_percent" integer DEFAULT 0 NOT NULL,
	"burst" integer,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_pace_tenant_id_connection_id_pk" PRIMARY KEY("tenant_id","connection_id")
);
--> statement-breakpoint
DROP INDEX "outbox_waiting";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() + interval '2 seconds' NOT NULL;--> statement-breakpoint
ALTER TABLE "connection_pace" ADD CONSTRAINT "connection_pace_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_to_send" ON "messages" USING btree ("tenant_id","connection_id","seq") WHERE "messages"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "messages_sending" ON "messages" USING btree ("claimed_at") WHERE "messages"."status" = 'sending';--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "outbox" DROP COLUMN "created_at";