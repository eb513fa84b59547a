CREATE TABLE "campaign_files" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"media_id" uuid NOT NULL,
	CONSTRAINT "campaign_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "campaign_paces" (
	"tenant_id" integer NOT NULL,
	"campaign_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"written_on" text,
	"written_today" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "campaign_paces_tenant_id_campaign_id_connection_id_pk" PRIMARY KEY("tenant_id","campaign_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "campaign_recipients" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid,
	"variant" integer,
	"vars" jsonb,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"error" text,
	"message_id" uuid,
	"cost" integer,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"opted_out_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_recipients_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "campaign_tallies" (
	"tenant_id" integer NOT NULL,
	"campaign_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"variant" integer NOT NULL,
	"connection_id" uuid NOT NULL,
	"mark" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"writer" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "campaign_tallies_pk" PRIMARY KEY("tenant_id","campaign_id","writer","step","variant","connection_id","mark","at")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"origin" text DEFAULT 'campaign' NOT NULL,
	"purpose" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"connection_ids" uuid[] DEFAULT '{}' NOT NULL,
	"plan" jsonb NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"pause_code" text,
	"pause_text" text,
	"paused_at" timestamp (3) with time zone,
	"prepared_up_to" uuid,
	"prepared_at" timestamp (3) with time zone,
	"winners" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone,
	"rests_until" timestamp (3) with time zone,
	"canary_left" integer,
	"brake_base" jsonb,
	"created_by" uuid,
	"asked_by" uuid,
	"approved_by" uuid,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "number_checks" (
	"tenant_id" integer NOT NULL,
	"network" text NOT NULL,
	"number" text NOT NULL,
	"is_there" boolean NOT NULL,
	"connection_id" uuid NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "number_checks_tenant_id_network_number_pk" PRIMARY KEY("tenant_id","network","number")
);
--> statement-breakpoint
DROP INDEX "tickets_inbox";--> statement-breakpoint
DROP INDEX "tickets_waiting";--> statement-breakpoint
DROP INDEX "tickets_sla";--> statement-breakpoint
DROP INDEX "tickets_created";--> statement-breakpoint
DROP INDEX "tickets_closed";--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_files" ADD CONSTRAINT "campaign_files_tenant_id_campaign_id_campaigns_tenant_id_id_fk" FOREIGN KEY ("tenant_id","campaign_id") REFERENCES "public"."campaigns"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_files" ADD CONSTRAINT "campaign_files_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_paces" ADD CONSTRAINT "campaign_paces_tenant_id_campaign_id_campaigns_tenant_id_id_fk" FOREIGN KEY ("tenant_id","campaign_id") REFERENCES "public"."campaigns"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_paces" ADD CONSTRAINT "campaign_paces_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_tallies" ADD CONSTRAINT "campaign_tallies_tenant_id_campaign_id_campaigns_tenant_id_id_fk" FOREIGN KEY ("tenant_id","campaign_id") REFERENCES "public"."campaigns"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tenant_id_created_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tenant_id_asked_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","asked_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_tenant_id_approved_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","approved_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_checks" ADD CONSTRAINT "number_checks_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_files_once" ON "campaign_files" USING btree ("tenant_id","campaign_id","media_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_recipients_once" ON "campaign_recipients" USING btree ("tenant_id","campaign_id","step","contact_id");--> statement-breakpoint
CREATE INDEX "campaign_recipients_waiting" ON "campaign_recipients" USING btree ("tenant_id","campaign_id","connection_id","step",(case when "variant" is null then 1 else 0 end),"due_at","id") WHERE "campaign_recipients"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "campaign_recipients_page" ON "campaign_recipients" USING btree ("tenant_id","campaign_id","state","id");--> statement-breakpoint
CREATE INDEX "campaign_recipients_answered" ON "campaign_recipients" USING btree ("tenant_id","campaign_id","state","id") WHERE "campaign_recipients"."answered_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_recipients_message" ON "campaign_recipients" USING btree ("tenant_id","message_id") WHERE "campaign_recipients"."message_id" is not null;--> statement-breakpoint
CREATE INDEX "campaign_recipients_contact" ON "campaign_recipients" USING btree ("tenant_id","contact_id","connection_id","sent_at") WHERE "campaign_recipients"."sent_at" is not null;--> statement-breakpoint
CREATE INDEX "campaign_tallies_fresh" ON "campaign_tallies" USING btree ("tenant_id","campaign_id") WHERE "campaign_tallies"."writer" <> 0;--> statement-breakpoint
CREATE INDEX "campaigns_recent" ON "campaigns" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "campaigns_state" ON "campaigns" USING btree ("tenant_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("due_at") WHERE "campaigns"."state" in ('scheduled', 'preparing', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "tickets_inbox" ON "tickets" USING btree ("tenant_id","status",coalesce("last_message_at", "created_at"),"id") WHERE "tickets"."status" <> 'closed' or not "tickets"."is_hidden";--> statement-breakpoint
CREATE INDEX "tickets_waiting" ON "tickets" USING btree ("tenant_id","status",coalesce("waiting_since", 'infinity'::timestamptz),"id") WHERE "tickets"."status" <> 'closed' or not "tickets"."is_hidden";--> statement-breakpoint
CREATE INDEX "tickets_sla" ON "tickets" USING btree ("tenant_id","status",coalesce("sla_due_at", 'infinity'::timestamptz),"id") WHERE "tickets"."status" <> 'closed' or not "tickets"."is_hidden";--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("tenant_id","created_at") WHERE not "tickets"."is_hidden";--> statement-breakpoint
CREATE INDEX "tickets_closed" ON "tickets" USING btree ("tenant_id","closed_at","contact_id") WHERE "tickets"."closed_at" is not null and not "tickets"."is_hidden";--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_hidden_closed" CHECK (not "tickets"."is_hidden" or "tickets"."status" = 'closed');--> statement-breakpoint
-- What a recipient counts in, and since when: what moves on is counted out of the one and into the other.
CREATE FUNCTION campaign_marks(state text, reason text, error text, message_id uuid, cost integer, sent_at timestamptz, delivered_at timestamptz,
  read_at timestamptz, failed_at timestamptz, answered_at timestamptz, opted_out_at timestamptz, complained_at timestamptz)
RETURNS TABLE (mark text, at timestamptz, count bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT m.mark, CASE WHEN m.at IS NULL THEN 'epoch'::timestamptz ELSE date_bin('10 minutes', m.at, 'epoch') END, m.count
  FROM (VALUES
    ('total', NULL::timestamptz, 1::bigint),
    (CASE WHEN state = 'skipped' THEN 'skipped:' || coalesce(reason, '') END, NULL, 1),
    (CASE WHEN message_id IS NOT NULL THEN 'written' END, NULL, 1),
    (CASE WHEN sent_at IS NOT NULL AND state <> 'failed' THEN 'sent' END, sent_at, 1),
    (CASE WHEN delivered_at IS NOT NULL THEN 'delivered' END, delivered_at, 1),
    (CASE WHEN read_at IS NOT NULL THEN 'read' END, read_at, 1),
    (CASE WHEN state = 'failed' THEN 'failed:' || left(coalesce(error, ''), 300) END, failed_at, 1),
    (CASE WHEN state = 'uncertain' THEN 'uncertain' END, NULL, 1),
    (CASE WHEN answered_at IS NOT NULL THEN 'answered' END, answered_at, 1),
    (CASE WHEN opted_out_at IS NOT NULL THEN 'optedOut' END, opted_out_at, 1),
    (CASE WHEN complained_at IS NOT NULL THEN 'complaints' END, complained_at, 1),
    (CASE WHEN sent_at IS NOT NULL AND state <> 'failed' AND cost > 0 THEN 'cost' END, sent_at, cost::bigint)
  ) AS m(mark, at, count) WHERE m.mark IS NOT NULL
$$;
--> statement-breakpoint
-- Each database session counts in rows of its own, so that nobody waits for anybody; a loop folds them together.
CREATE FUNCTION count_recipients_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaign_tallies AS t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    SELECT r.tenant_id, r.campaign_id, r.step, coalesce(r.variant, -1), coalesce(r.connection_id, '00000000-0000-0000-0000-000000000000'),
      m.mark, m.at, pg_backend_pid(), sum(m.count)
    FROM added r CROSS JOIN LATERAL campaign_marks(r.state, r.reason, r.error, r.message_id, r.cost, r.sent_at, r.delivered_at, r.read_at, r.failed_at, r.answered_at, r.opted_out_at, r.complained_at) m
    GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT ON CONSTRAINT campaign_tallies_pk DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_recipients_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaign_tallies AS t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    SELECT r.tenant_id, r.campaign_id, r.step, coalesce(r.variant, -1), coalesce(r.connection_id, '00000000-0000-0000-0000-000000000000'),
      m.mark, m.at, pg_backend_pid(), sum(m.count * r.way)
    FROM (SELECT *, 1 AS way FROM moved UNION ALL SELECT *, -1 FROM was) r
      CROSS JOIN LATERAL campaign_marks(r.state, r.reason, r.error, r.message_id, r.cost, r.sent_at, r.delivered_at, r.read_at, r.failed_at, r.answered_at, r.opted_out_at, r.complained_at) m
    GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(m.count * r.way) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT ON CONSTRAINT campaign_tallies_pk DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Who is deleted still counts in what they had passed; who waited then is written to no more.
CREATE FUNCTION count_recipients_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaign_tallies AS t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    SELECT r.tenant_id, r.campaign_id, r.step, coalesce(r.variant, -1), coalesce(r.connection_id, '00000000-0000-0000-0000-000000000000'),
      'skipped:gone', 'epoch', pg_backend_pid(), count(*)
    FROM gone r JOIN campaigns c ON c.tenant_id = r.tenant_id AND c.id = r.campaign_id
    WHERE r.state = 'waiting' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT campaign_tallies_pk DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER counted_added AFTER INSERT ON campaign_recipients REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_recipients_added();
CREATE TRIGGER counted_moved AFTER UPDATE ON campaign_recipients REFERENCING NEW TABLE AS moved OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION count_recipients_moved();
CREATE TRIGGER counted_gone AFTER DELETE ON campaign_recipients REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_recipients_gone();
--> statement-breakpoint
-- What becomes of a message becomes of its recipient: each mark once, and with a later one all before it.
CREATE FUNCTION mark_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE campaign_recipients r SET
    state = CASE NEW.status WHEN 'queued' THEN 'written' WHEN 'sending' THEN 'written' WHEN 'played' THEN 'read' ELSE NEW.status END,
    sent_at = CASE WHEN NEW.status IN ('sent', 'delivered', 'read', 'played') THEN coalesce(r.sent_at, now()) ELSE r.sent_at END,
    delivered_at = CASE WHEN NEW.status IN ('delivered', 'read', 'played') THEN coalesce(r.delivered_at, now()) ELSE r.delivered_at END,
    read_at = CASE WHEN NEW.status IN ('read', 'played') THEN coalesce(r.read_at, now()) ELSE r.read_at END,
    failed_at = CASE WHEN NEW.status = 'failed' THEN now() END,
    error = CASE WHEN NEW.status IN ('failed', 'uncertain') THEN NEW.error END
  WHERE r.tenant_id = NEW.tenant_id AND r.message_id = NEW.id AND r.read_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER recipient_marked AFTER UPDATE OF status ON messages FOR EACH ROW
  WHEN (NEW.send_type = 'campaign' AND NEW.status IS DISTINCT FROM OLD.status AND NEW.status NOT IN ('queued', 'sending', 'received'))
  EXECUTE FUNCTION mark_recipient();
CREATE TRIGGER recipient_written_anew AFTER UPDATE OF status ON messages FOR EACH ROW
  WHEN (NEW.send_type = 'campaign' AND NEW.status = 'queued' AND OLD.status IN ('failed', 'uncertain'))
  EXECUTE FUNCTION mark_recipient();
--> statement-breakpoint
-- What nobody has to work on is no conversation of its contact.
CREATE OR REPLACE FUNCTION keep_conversations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  those uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE contact_activity a SET tickets = a.tickets + 1, last_closed_at = greatest(a.last_closed_at, NEW.closed_at)
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.contact_id = OLD.contact_id AND NEW.closed_at >= coalesce(OLD.closed_at, 'epoch') THEN
    UPDATE contact_activity a SET last_closed_at = NEW.closed_at
      WHERE a.tenant_id = NEW.tenant_id AND a.contact_id = NEW.contact_id AND a.last_closed_at < NEW.closed_at;
    RETURN NULL;
  END IF;
  those := CASE WHEN TG_OP = 'DELETE' THEN ARRAY[OLD.contact_id] ELSE ARRAY[OLD.contact_id, NEW.contact_id] END;
  PERFORM FROM contact_activity a WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = ANY (those) ORDER BY a.contact_id FOR NO KEY UPDATE;
  UPDATE contact_activity a SET tickets = n.tickets, last_closed_at = n.last_closed_at
    FROM unnest(those) AS c(id), LATERAL (SELECT count(*)::int AS tickets, coalesce(max(t.closed_at), 'epoch') AS last_closed_at
      FROM tickets t WHERE t.tenant_id = OLD.tenant_id AND t.contact_id = c.id AND NOT t.is_hidden) n
    WHERE a.tenant_id = OLD.tenant_id AND a.contact_id = c.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER conversations_first ON tickets;
DROP TRIGGER conversations_later ON tickets;
CREATE TRIGGER conversations_first AFTER INSERT ON tickets FOR EACH ROW WHEN (NOT NEW.is_hidden) EXECUTE FUNCTION keep_conversations();
CREATE TRIGGER conversations_gone AFTER DELETE ON tickets FOR EACH ROW WHEN (NOT OLD.is_hidden) EXECUTE FUNCTION keep_conversations();
CREATE TRIGGER conversations_later AFTER UPDATE OF closed_at, contact_id ON tickets FOR EACH ROW
  WHEN (NOT NEW.is_hidden AND (NEW.closed_at IS DISTINCT FROM OLD.closed_at OR NEW.contact_id <> OLD.contact_id)) EXECUTE FUNCTION keep_conversations();
--> statement-breakpoint
-- What is frozen together is mostly alike: it is grouped first, and its marks are looked up once a group.
CREATE OR REPLACE FUNCTION count_recipients_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaign_tallies AS t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    SELECT r.tenant_id, r.campaign_id, r.step, coalesce(r.variant, -1), coalesce(r.connection_id, '00000000-0000-0000-0000-000000000000'),
      m.mark, m.at, pg_backend_pid(), sum(m.count * r.many)
    FROM (SELECT a.tenant_id, a.campaign_id, a.step, a.variant, a.connection_id, a.state, a.reason, a.error,
          CASE WHEN a.message_id IS NOT NULL THEN '00000000-0000-0000-0000-000000000000'::uuid END AS message_id, a.cost,
          a.sent_at, a.delivered_at, a.read_at, a.failed_at, a.answered_at, a.opted_out_at, a.complained_at, count(*) AS many
        FROM added a GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17) r
      CROSS JOIN LATERAL campaign_marks(r.state, r.reason, r.error, r.message_id, r.cost, r.sent_at, r.delivered_at, r.read_at, r.failed_at, r.answered_at, r.opted_out_at, r.complained_at) m
    GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT ON CONSTRAINT campaign_tallies_pk DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- By which channels campaigns were sent, in the memory of the company.
CREATE TRIGGER directory_changed AFTER UPDATE ON campaigns FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state) EXECUTE FUNCTION count_directory_change('campaignWays');
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON campaigns FOR EACH ROW EXECUTE FUNCTION count_directory_change('campaignWays');
--> statement-breakpoint
-- What nobody has to work on says nothing of how lately somebody was spoken with.
DROP TRIGGER heard_first ON tickets;
DROP TRIGGER heard_later ON tickets;
CREATE TRIGGER heard_first AFTER INSERT ON tickets FOR EACH ROW WHEN (NOT NEW.is_hidden) EXECUTE FUNCTION keep_heard();
CREATE TRIGGER heard_later AFTER UPDATE OF last_message_at, contact_id ON tickets FOR EACH ROW
  WHEN (NOT NEW.is_hidden AND (month_of(coalesce(NEW.last_message_at, NEW.created_at)) > month_of(coalesce(OLD.last_message_at, OLD.created_at))
    OR NEW.contact_id <> OLD.contact_id))
  EXECUTE FUNCTION keep_heard();
