-- What a connection tells of what left by it is kept with its abilities; those kept before have no word of it.
UPDATE "connections" SET "abilities" = jsonb_build_object('receipts', CASE "kind"
    WHEN 'email' THEN '[]'::jsonb WHEN 'telegram' THEN '[]'::jsonb
    WHEN 'sms' THEN '["delivered"]'::jsonb WHEN 'instagram' THEN '["read"]'::jsonb
    ELSE '["delivered", "read"]'::jsonb END) || "abilities"
  WHERE NOT "abilities" ? 'receipts';
