CREATE TABLE "poll_votes" (
	"tenant_id" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"from_me" boolean NOT NULL,
	"contact_id" uuid,
	"chosen" integer[] NOT NULL,
	"voted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "poll_votes_voter" UNIQUE NULLS NOT DISTINCT("tenant_id","message_id","from_me","contact_id")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "poll_key" text;--> statement-breakpoint
ALTER TABLE "poll_votes" ADD CONSTRAINT "poll_votes_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "poll_votes" ADD CONSTRAINT "poll_votes_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "poll_votes_contact" ON "poll_votes" USING btree ("tenant_id","contact_id") WHERE "poll_votes"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_poll" ON "messages" USING btree ("tenant_id","connection_id","poll_key") WHERE "messages"."poll_key" is not null;