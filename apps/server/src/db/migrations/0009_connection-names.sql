CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON connections FOR EACH ROW EXECUTE FUNCTION count_directory_change('connections');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER UPDATE OF name ON connections FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION count_directory_change('connections');
