ALTER TABLE "connections" ADD COLUMN "imported" jsonb;--> statement-breakpoint
UPDATE "connections" SET "options" = ("options" - 'importDays') || jsonb_build_object('importFrom', to_char(now() - make_interval(days => ("options" ->> 'importDays')::int), 'YYYY-MM-DD')) WHERE "options" ? 'importDays';
