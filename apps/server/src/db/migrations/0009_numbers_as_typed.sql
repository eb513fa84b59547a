-- As typed, with the zeros it begins with, at the end of a number or where people begin to say it; else without them, as
-- they may be what is dialled before the area.
CREATE OR REPLACE FUNCTION contacts_by_number(digits text) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  bare constant text := ltrim(digits, '0');
  nines constant text := repeat('9', 20);
  backwards text;
  after_nine text;
BEGIN
  LOOP
    backwards := reverse(digits);
    after_nine := CASE WHEN left(digits, 1) = '9' THEN substr(digits, 2) END;
    RETURN QUERY
      SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
        AND reverse(c.number) COLLATE "C" BETWEEN backwards AND backwards || nines
      UNION SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
        AND right(c.number, 8) BETWEEN digits AND digits || nines
      UNION SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.merged_into_id IS NULL AND c.number IS NOT NULL
        AND right(c.number, 8) BETWEEN after_nine AND after_nine || nines AND right(c.number, 9) LIKE '9%'
      UNION SELECT c.id FROM contacts c, unnest(ARRAY[digits, '55' || digits]) s(begins) WHERE c.tenant_id = tenant
        AND c.merged_into_id IS NULL AND c.number BETWEEN s.begins AND s.begins || nines;
    EXIT WHEN FOUND OR digits = bare OR length(bare) < 7;
    digits := bare;
  END LOOP;
END $$;
--> statement-breakpoint
-- Whose number it is; where it is nobody's, who has these signs anywhere, of a number those behind its zeros.
CREATE OR REPLACE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  digits constant text := substring(pattern from '^%([0-9]{7,})%$');
  signs constant text := norm(regexp_replace(pattern, '^%0+(?=[0-9]{3,}%$)', '%'));
BEGIN
  IF digits IS NOT NULL THEN
    RETURN QUERY SELECT n.id FROM contacts_by_number(digits) n;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.search LIKE signs AND c.merged_into_id IS NULL;
END $$;
--> statement-breakpoint
-- Whoever is called so or has this number; where nobody does, whoever has these signs anywhere, of a number those behind
-- its zeros.
CREATE OR REPLACE FUNCTION find_contacts(words text, pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  tenant constant integer := current_setting('app.tenant_id')::int;
  begins constant text := contact_text(words);
  digits constant text := substring(pattern from '^%([0-9]{7,})%$');
  signs constant text := norm(regexp_replace(pattern, '^%0+(?=[0-9]{3,}%$)', '%'));
BEGIN
  IF digits IS NOT NULL THEN
    RETURN QUERY SELECT n.id FROM contacts_by_number(digits) n LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  IF begins <> '' THEN
    RETURN QUERY SELECT w.contact_id FROM contact_words w
      WHERE w.tenant_id = tenant AND w.tail >= begins AND w.tail < begins || chr(1114111) LIMIT max;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RETURN QUERY SELECT c.id FROM contacts c WHERE c.tenant_id = tenant AND c.search LIKE signs AND c.merged_into_id IS NULL LIMIT max;
END $$;
