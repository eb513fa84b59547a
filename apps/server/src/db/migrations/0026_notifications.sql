CREATE TABLE "notifications" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"ticket_id" uuid,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_unread" ON "notifications" USING btree ("tenant_id","user_id","kind","subject") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_of_user" ON "notifications" USING btree ("tenant_id","user_id","at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_ticket" ON "notifications" USING btree ("tenant_id","ticket_id") WHERE "notifications"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_old" ON "notifications" USING btree ("tenant_id","at");