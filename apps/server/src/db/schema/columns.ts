import type { BuildExtraConfigColumns } from 'drizzle-orm'
import {
  type AnyPgColumn,
  foreignKey,
  integer,
  type PgColumnBuilderBase,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

/** A moment in milliseconds: what a cursor can carry. PostgreSQL rounds, so `now()` may be stored half a millisecond ahead. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const createdAt = () => moment('created_at').notNull().defaultNow()
export const updatedAt = () => moment('updated_at').notNull().defaultNow()
/** What a row that people edit carries last; each write raises its version. */
export const versioned = () => ({
  version: integer('version').notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

type Columns = Record<string, PgColumnBuilderBase>
type Keyed = { tenantId: AnyPgColumn; id: AnyPgColumn }

const tenantId = () => integer('tenant_id').notNull()
const rowId = () =>
  uuid('id')
    .notNull()
    .$defaultFn(() => v7())

type TenantId = { tenantId: ReturnType<typeof tenantId> }
type RowId = { id: ReturnType<typeof rowId> }
type Self<N extends string, C extends Columns> = BuildExtraConfigColumns<N, C, 'pg'>

/**
 * A table of tenant data: `tenant_id` and `id` first and together the primary key.
 * Row-level security, policies and grants are put on every table with a `tenant_id` by `migrateDatabase`.
 */
export const tenantTable = <N extends string, C extends Columns>(
  name: N,
  columns: C,
  extras: (t: Self<N, TenantId & RowId & C>) => PgTableExtraConfigValue[] = () => [],
) =>
  pgTable(name, { tenantId: tenantId(), id: rowId(), ...columns } as TenantId & RowId & C, (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    ...extras(t),
  ])

/** A table that joins two others of the same tenant; it has no id of its own. */
export const tenantLink = <N extends string, C extends Columns>(
  name: N,
  columns: C,
  extras: (t: Self<N, TenantId & C>) => PgTableExtraConfigValue[],
) => pgTable(name, { tenantId: tenantId(), ...columns } as TenantId & C, (t) => extras(t))

/** A reference that cannot leave the tenant. The migration of one with `set null` says which column, or the tenant would go too. */
export const refers = (
  t: { tenantId: AnyPgColumn },
  column: AnyPgColumn,
  target: () => Keyed,
  onDelete: 'restrict' | 'cascade' | 'set null' = 'restrict',
) => foreignKey({ columns: [t.tenantId, column], foreignColumns: [target().tenantId, target().id] }).onDelete(onDelete)
