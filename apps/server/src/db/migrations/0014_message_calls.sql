CREATE TABLE "birthday_greetings" (
	"tenant_id" integer NOT NULL,
	"contact_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "birthday_greetings_tenant_id_contact_id_year_pk" PRIMARY KEY("tenant_id","contact_id","year")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "birthday_date" date;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD CONSTRAINT "birthday_greetings_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_birthday" ON "contacts" USING btree ("tenant_id",(extract(month from "birthday_date") * 100 + extract(day from "birthday_date")),"id") WHERE "contacts"."birthday_date" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "messages_stuck" ON "messages" USING btree ("tenant_id","connection_id","seq") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";