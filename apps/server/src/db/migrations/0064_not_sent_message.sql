ALTER TABLE "tickets" ADD COLUMN "not_sent_message" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "not_sent_message_type" text;--> statement-breakpoint
ALTER TABLE "early_statuses" ADD COLUMN "is_unreachable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE tickets t SET not_sent_message = m.line, not_sent_message_type = m.type
FROM (SELECT DISTINCT ON (m.tenant_id, m.ticket_id) m.tenant_id, m.ticket_id, m.type,
    left(coalesce(nullif(m.body, ''), CASE m.type WHEN 'document' THEN f.name WHEN 'image' THEN 'Imagem' WHEN 'audio' THEN 'Áudio'
      WHEN 'video' THEN 'Vídeo' WHEN 'sticker' THEN 'Figurinha' WHEN 'location' THEN 'Localização' WHEN 'contact' THEN 'Contato'
      END, ''), 300) AS line
  FROM messages m LEFT JOIN files f ON f.tenant_id = m.tenant_id AND f.id = m.media_id
  WHERE m.status IN ('failed', 'uncertain') AND NOT m.is_deleted
  ORDER BY m.tenant_id, m.ticket_id, m.status, m.seq DESC) m
WHERE t.tenant_id = m.tenant_id AND t.id = m.ticket_id AND t.not_sent IS NOT NULL;
