INSERT INTO "consumers" ("tenant_id", "id", "kind", "topics", "user_id", "target", "calm_s", "is_latest_only", "delivered_at", "created_at")
SELECT "tenant_id", "id", 'push', '{notification.created}', "user_id",
	jsonb_build_object('endpoint', "endpoint", 'p256dh', "p256dh", 'auth', "auth", 'sessionId', "session_id"), 2, true, "last_sent_at", "created_at"
FROM "push_subscriptions";--> statement-breakpoint
DROP TABLE "push_deliveries" CASCADE;--> statement-breakpoint
DROP TABLE "push_subscriptions" CASCADE;