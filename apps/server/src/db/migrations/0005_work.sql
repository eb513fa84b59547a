CREATE TABLE "farewells" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"message" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "farewells_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "reasons" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reasons_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "task_comments" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "task_comments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"limit_date" timestamp (3) with time zone,
	"owner_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"priority" text DEFAULT 'normal' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"recurrence" integer,
	"previous_id" uuid,
	"ticket_id" uuid,
	"contact_id" uuid,
	"done_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tasks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_tenant_id_task_id_tasks_tenant_id_id_fk" FOREIGN KEY ("tenant_id","task_id") REFERENCES "public"."tasks"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_comments" ADD CONSTRAINT "task_comments_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_owner_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","owner_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE set null ("ticket_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE set null ("contact_id") ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "farewells_name" ON "farewells" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "reasons_name" ON "reasons" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "task_comments_task" ON "task_comments" USING btree ("tenant_id","task_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_previous" ON "tasks" USING btree ("tenant_id","previous_id") WHERE "tasks"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_by_limit" ON "tasks" USING btree ("tenant_id",coalesce("limit_date", 'infinity'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "tasks_of_owner" ON "tasks" USING btree ("tenant_id","owner_id","status");--> statement-breakpoint
CREATE INDEX "tasks_of_writer" ON "tasks" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "tasks_of_ticket" ON "tasks" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE INDEX "tasks_of_contact" ON "tasks" USING btree ("tenant_id","contact_id");--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("tenant_id","limit_date") WHERE "tasks"."reminded_at" is null and "tasks"."status" <> 'done';--> statement-breakpoint
CREATE INDEX "messages_notes" ON "messages" USING btree ("tenant_id","seq") WHERE "messages"."type" = 'note';