/**
 * Whatever refers to `files` uses the file for as long as it does: triggers on each such column write `file_uses` with
 * the row itself, so no writer can forget it and a message costs no statement more. A new reference needs nothing.
 * What is let go is held for a while: another row may be about to take it up.
 */
export const keepFileUses = `
  create or replace function keep_file_use() returns trigger language plpgsql as $$
  declare
    was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    now_is jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    owner text := tg_argv[0];
    file text := tg_argv[1];
    used_by text := tg_table_name || '.' || tg_argv[1];
  begin
    if was ->> file is not null then
      delete from file_uses where tenant_id = (was ->> owner)::int and file_id = (was ->> file)::uuid
        and entity = used_by and entity_id = was ->> 'id';
      insert into file_uses (tenant_id, file_id, entity, entity_id, expires_at)
        values ((was ->> owner)::int, (was ->> file)::uuid, 'hold', '', now() + interval '2 hours')
        on conflict (tenant_id, file_id, entity, entity_id)
          do update set expires_at = greatest(file_uses.expires_at, excluded.expires_at);
    end if;
    if now_is ->> file is not null then
      insert into file_uses (tenant_id, file_id, entity, entity_id)
        values ((now_is ->> owner)::int, (now_is ->> file)::uuid, used_by, now_is ->> 'id') on conflict do nothing;
    end if;
    return null;
  end $$;
  do $$ declare t record; begin
    for t in select c.conrelid::regclass::text as name, o.attname as owner, f.attname as file from pg_constraint c
      join pg_attribute o on o.attrelid = c.conrelid and o.attnum = c.conkey[1]
      join pg_attribute f on f.attrelid = c.conrelid and f.attnum = c.conkey[2]
      where c.contype = 'f' and c.confrelid = 'files'::regclass and c.conparentid = 0 and c.conrelid <> 'file_uses'::regclass
        and not exists (select from pg_trigger g where g.tgrelid = c.conrelid and g.tgname = 'file_use_added_' || f.attname)
    loop
      execute format('create trigger file_use_added_%1$s after insert on %2$I for each row when (new.%1$I is not null) execute function keep_file_use(%3$L, %1$L)', t.file, t.name, t.owner);
      execute format('create trigger file_use_changed_%1$s after update of %1$I on %2$I for each row when (old.%1$I is distinct from new.%1$I) execute function keep_file_use(%3$L, %1$L)', t.file, t.name, t.owner);
      execute format('create trigger file_use_gone_%1$s after delete on %2$I for each row when (old.%1$I is not null) execute function keep_file_use(%3$L, %1$L)', t.file, t.name, t.owner);
      execute format('insert into file_uses (tenant_id, file_id, entity, entity_id) select %3$I, %1$I, %4$L, id from %2$I where %1$I is not null on conflict do nothing', t.file, t.name, t.owner, t.name || '.' || t.file);
    end loop;
  end $$;
`
