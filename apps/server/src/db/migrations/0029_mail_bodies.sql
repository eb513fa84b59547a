CREATE TABLE "mail_bodies" (
	"tenant_id" integer NOT NULL,
	"message_id" uuid NOT NULL,
	"html" text NOT NULL,
	"pictures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "mail_bodies_tenant_id_message_id_pk" PRIMARY KEY("tenant_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "mail_bodies" ADD CONSTRAINT "mail_bodies_tenant_id_message_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;