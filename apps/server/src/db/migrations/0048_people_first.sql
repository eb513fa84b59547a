DROP INDEX "messages_to_send";--> statement-breakpoint
CREATE INDEX "messages_to_send" ON "messages" USING btree ("tenant_id","connection_id",("send_type" = 'campaign'),"seq") WHERE "messages"."status" = 'queued';
--> statement-breakpoint
-- What becomes of messages that move together becomes of their recipients together: counted once, not message by message.
DROP TRIGGER recipient_marked ON messages;
DROP TRIGGER recipient_written_anew ON messages;
DROP FUNCTION mark_recipient();
--> statement-breakpoint
CREATE FUNCTION mark_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM moved WHERE send_type = 'campaign') THEN
    RETURN NULL;
  END IF;
  UPDATE campaign_recipients r SET
    state = CASE n.status WHEN 'queued' THEN 'written' WHEN 'played' THEN 'read' ELSE n.status END,
    sent_at = CASE WHEN n.status IN ('sent', 'delivered', 'read', 'played') THEN coalesce(r.sent_at, now()) ELSE r.sent_at END,
    delivered_at = CASE WHEN n.status IN ('delivered', 'read', 'played') THEN coalesce(r.delivered_at, now()) ELSE r.delivered_at END,
    read_at = CASE WHEN n.status IN ('read', 'played') THEN coalesce(r.read_at, now()) ELSE r.read_at END,
    failed_at = CASE WHEN n.status = 'failed' THEN now() END,
    error = CASE WHEN n.status IN ('failed', 'uncertain') THEN n.error END
  FROM (SELECT m.tenant_id, m.id, m.status, m.error FROM moved m JOIN was w ON w.tenant_id = m.tenant_id AND w.id = m.id
    WHERE m.send_type = 'campaign' AND m.status IS DISTINCT FROM w.status
      AND (m.status NOT IN ('queued', 'sending', 'received') OR m.status = 'queued' AND w.status IN ('failed', 'uncertain'))) n
  WHERE r.tenant_id = n.tenant_id AND r.message_id = n.id AND r.read_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER recipients_marked AFTER UPDATE ON messages REFERENCING NEW TABLE AS moved OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION mark_recipients();
