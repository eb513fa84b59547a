import type { ContactField } from '@balcao/contract/contacts/contact-fields.ts'
import type { ContactImportOptions } from '@balcao/contract/contacts/imports.ts'
import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import { type Directory, invalidateDirectory } from '../../core/directory/directory.ts'
import type { JobActor } from '../../core/jobs/job-kinds.ts'
import type { Words } from './interpret.ts'
import { plainHeading } from './reading/headings.ts'

type Field = Pick<ContactField, 'name' | 'key' | 'type' | 'options'>
type Named = { id: string; name: string }

export const listOwnFields = (tx: Tx): Promise<Field[]> => tx.rows(ownFields, [tx.tenantId])
const ownFields: Prepared = {
  name: 'import_fields',
  text: 'select name, key, type, options from contact_fields where tenant_id = $1 order by name',
}

/** What the words of a file are looked up in, as the company has it now. */
export const readWords = async (
  tx: Tx,
  { people }: Directory,
  actor: JobActor,
  options: ContactImportOptions,
): Promise<Words> => {
  const [fields, tags, lanes] = [
    await listOwnFields(tx),
    await tx.rows<Named>(allTags, [tx.tenantId]),
    await tx.rows<Named>(allLanes, [tx.tenantId]),
  ]
  const byName = (rows: Named[]) => new Map(rows.map(({ id, name }) => [plainHeading(name), id]))
  return {
    fields: new Map(fields.map((field) => [field.key, field])),
    tags: byName(tags),
    lanes: byName(lanes),
    people: new Map(
      [...people.values()].flatMap(({ id, name, email }): [string, string][] => [
        [plainHeading(name), id],
        [email.toLowerCase(), id],
      ]),
    ),
    mayCreateTags: options.createTags && actor.permissions.has('tags.write'),
  }
}
const allTags: Prepared = { name: 'import_all_tags', text: 'select id, name from tags where tenant_id = $1' }
const allLanes: Prepared = {
  name: 'import_all_lanes',
  text: 'select id, name from lanes where tenant_id = $1 and is_active',
}

/** Makes the tags that are not there yet; answers the id of each by its plain name. */
export const makeTags = async (tx: Tx, names: string[]): Promise<ReadonlyMap<string, string>> => {
  if (!names.length) return new Map()
  const made = await tx.rows<Omit<Tag, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }>(newTags, [
    tx.tenantId,
    names,
  ])
  for (const tag of made) {
    const row = { ...tag, createdAt: tag.createdAt.toISOString(), updatedAt: tag.updatedAt.toISOString() }
    await emit(tx, 'tag.created', row, { kind: 'permission', can: 'tags.read' })
  }
  if (made.length) tx.afterCommit(() => invalidateDirectory(tx.tenantId))
  const all = await tx.rows<Named>(allTags, [tx.tenantId])
  return new Map(all.map(({ id, name }) => [plainHeading(name), id]))
}
const newTags: Prepared = {
  name: 'import_new_tags',
  text: `insert into tags (tenant_id, id, name, color)
    select $1, gen_random_uuid(), n.name, '#64748b' from (select distinct on (lower(name)) name from unnest($2::text[]) as name) n
    on conflict do nothing returning id, name, color, is_active as "isActive", version, created_at as "createdAt", updated_at as "updatedAt"`,
}
