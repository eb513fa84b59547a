CREATE TABLE "message_streams" (
	"tenant_id" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"told" text NOT NULL,
	"is_open" boolean DEFAULT true NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_streams_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "message_streams" ADD CONSTRAINT "message_streams_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_streams_ticket" ON "message_streams" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "message_streams_due" ON "message_streams" USING btree ("due_at") WHERE "message_streams"."due_at" is not null;