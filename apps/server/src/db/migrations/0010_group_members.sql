CREATE TABLE "group_members" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"member_id" text NOT NULL,
	"keys" text[] NOT NULL,
	"name" text,
	"role" text DEFAULT 'member' NOT NULL,
	"told_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "group_members_tenant_id_contact_id_member_id_pk" PRIMARY KEY("tenant_id","contact_id","member_id")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"description" text,
	"read_at" timestamp (3) with time zone,
	"ask_at" timestamp (3) with time zone,
	CONSTRAINT "groups_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);
--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "groups_to_ask" ON "groups" USING btree ("ask_at") WHERE "groups"."ask_at" is not null;