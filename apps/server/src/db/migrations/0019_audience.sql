CREATE TABLE "audience" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"body" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"message_id" uuid,
	"error" text,
	"attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "audience_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "connection_pace" ADD COLUMN "sent_on" date;--> statement-breakpoint
ALTER TABLE "connection_pace" ADD COLUMN "sent_today" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD COLUMN "audience_id" uuid;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_created_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audience_waiting" ON "audience" USING btree ("tenant_id","connection_id","attempt_at","id") WHERE "audience"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "audience_of_contact" ON "audience" USING btree ("tenant_id","contact_id");