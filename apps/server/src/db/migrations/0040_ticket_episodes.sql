CREATE TABLE "episode_marks" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	CONSTRAINT "episode_marks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_closings" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	"reopened_at" timestamp (3) with time zone NOT NULL,
	"first_answer_due_at" timestamp (3) with time zone,
	"resolution_due_at" timestamp (3) with time zone,
	"value" bigint,
	"priority" text NOT NULL,
	"tag_ids" uuid[] NOT NULL,
	CONSTRAINT "ticket_closings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_episodes" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"reopened_from" uuid,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"queue_id" uuid,
	"user_id" uuid,
	"first_answered_by" uuid,
	"closed_by" uuid,
	"tag_ids" uuid[] DEFAULT '{}' NOT NULL,
	"reason_id" uuid,
	"priority" text NOT NULL,
	"value" bigint,
	"opened_by_kind" text NOT NULL,
	"closed_by_kind" text,
	"is_merged" boolean DEFAULT false NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"first_answered_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"wait_s" integer,
	"wait_business_s" integer,
	"first_answer_s" integer,
	"first_answer_business_s" integer,
	"handling_s" integer,
	"handling_business_s" integer,
	"paused_s" integer,
	"paused_business_s" integer,
	"resolution_s" integer,
	"resolution_business_s" integer,
	"transfers" integer DEFAULT 0 NOT NULL,
	"messages_in" integer,
	"messages_out" integer,
	"owners" jsonb NOT NULL,
	"first_answer_due_at" timestamp (3) with time zone,
	"resolution_due_at" timestamp (3) with time zone,
	"is_first_answer_met" boolean,
	"is_resolution_met" boolean,
	"grade" integer,
	CONSTRAINT "ticket_episodes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ticket_pauses" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_pauses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "ticket_closings" ADD CONSTRAINT "ticket_closings_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_episodes" ADD CONSTRAINT "ticket_episodes_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_pauses" ADD CONSTRAINT "ticket_pauses_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_closings_ticket" ON "ticket_closings" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_episodes_ticket" ON "ticket_episodes" USING btree ("tenant_id","ticket_id","ordinal");--> statement-breakpoint
CREATE INDEX "ticket_episodes_opened" ON "ticket_episodes" USING btree ("tenant_id","opened_at","id");--> statement-breakpoint
CREATE INDEX "ticket_episodes_closed" ON "ticket_episodes" USING btree ("tenant_id","closed_at","id");--> statement-breakpoint
CREATE INDEX "ticket_episodes_of_contact" ON "ticket_episodes" USING btree ("tenant_id","contact_id","opened_at");--> statement-breakpoint
CREATE INDEX "ticket_pauses_ticket" ON "ticket_pauses" USING btree ("tenant_id","ticket_id");--> statement-breakpoint
-- A ticket whose facts are to be read again. What is only said of it (notes, looks, sharing) is no fact.
CREATE FUNCTION mark_logged_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO episode_marks (tenant_id, id, ticket_id)
    SELECT tenant_id, gen_random_uuid(), ticket_id FROM added WHERE type NOT IN ('note', 'access', 'share', 'protocol') GROUP BY 1, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER episodes_logged AFTER INSERT ON ticket_logs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_logged_tickets();
--> statement-breakpoint
CREATE FUNCTION mark_tagged_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO episode_marks (tenant_id, id, ticket_id) SELECT tenant_id, gen_random_uuid(), ticket_id FROM touched GROUP BY 1, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER episodes_tagged AFTER INSERT ON ticket_tags REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION mark_tagged_tickets();
CREATE TRIGGER episodes_untagged AFTER DELETE ON ticket_tags REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION mark_tagged_tickets();
--> statement-breakpoint
CREATE FUNCTION mark_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO episode_marks (tenant_id, id, ticket_id) VALUES (NEW.tenant_id, gen_random_uuid(), NEW.id);
  RETURN NULL;
END $$;
-- What changes without an entry in the history. A message that changes none of these costs the comparison alone.
CREATE TRIGGER episodes_changed AFTER UPDATE ON tickets FOR EACH ROW
  WHEN (NOT NEW.is_hidden AND NOT NEW.is_group AND (
    NEW.first_answered_at IS DISTINCT FROM OLD.first_answered_at OR NEW.contact_id <> OLD.contact_id
    OR NEW.connection_id <> OLD.connection_id OR NEW.reason_id IS DISTINCT FROM OLD.reason_id
    OR NEW.queue_id IS DISTINCT FROM OLD.queue_id OR NEW.user_id IS DISTINCT FROM OLD.user_id
    OR NEW.sla_first_due_at IS DISTINCT FROM OLD.sla_first_due_at OR NEW.sla_resolve_due_at IS DISTINCT FROM OLD.sla_resolve_due_at
    OR NEW.paused_at IS DISTINCT FROM OLD.paused_at))
  EXECUTE FUNCTION mark_ticket();
--> statement-breakpoint
CREATE FUNCTION keep_ticket_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ticket_pauses (tenant_id, id, ticket_id, started_at, ended_at)
    VALUES (NEW.tenant_id, gen_random_uuid(), NEW.id, OLD.paused_at, greatest(now(), OLD.paused_at));
  RETURN NULL;
END $$;
CREATE TRIGGER pauses_kept AFTER UPDATE ON tickets FOR EACH ROW
  WHEN (OLD.paused_at IS NOT NULL AND NEW.paused_at IS NULL AND NOT NEW.is_group) EXECUTE FUNCTION keep_ticket_pause();
--> statement-breakpoint
CREATE FUNCTION keep_ticket_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ticket_closings (tenant_id, id, ticket_id, closed_at, reopened_at, first_answer_due_at, resolution_due_at, value, priority, tag_ids)
    VALUES (OLD.tenant_id, gen_random_uuid(), OLD.id, OLD.closed_at, now(), OLD.sla_first_due_at, OLD.sla_resolve_due_at, OLD.value, OLD.priority,
      ARRAY(SELECT g.tag_id FROM ticket_tags g WHERE g.tenant_id = OLD.tenant_id AND g.ticket_id = OLD.id ORDER BY g.tag_id));
  RETURN NULL;
END $$;
CREATE TRIGGER closings_kept AFTER UPDATE OF status ON tickets FOR EACH ROW
  WHEN (OLD.status = 'closed' AND NEW.status <> 'closed' AND NOT NEW.is_group AND OLD.closed_at IS NOT NULL) EXECUTE FUNCTION keep_ticket_closing();
