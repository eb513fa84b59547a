import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { refers, tenantTable, versioned } from '../columns.ts'
import { users } from '../people/users.ts'

/** A view of the attendance list that somebody named. */
export const savedFilters = tenantTable(
  'saved_filters',
  {
    name: text('name').notNull(),
    userId: uuid('user_id').notNull(),
    isShared: boolean('is_shared').notNull().default(false),
    /** The filter as it stands in the address of the screen. */
    query: text('query').notNull(),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('saved_filters_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    index('saved_filters_shared').on(t.tenantId, t.isShared, t.name),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** Why a conversation ended. */
export const reasons = tenantTable(
  'reasons',
  {
    name: text('name').notNull(),
    color: text('color'),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [uniqueIndex('reasons_name').on(t.tenantId, sql`lower(${t.name})`)],
)

/** The company's own places, sent to customers again and again. */
export const places = tenantTable(
  'places',
  {
    name: text('name').notNull(),
    address: text('address').notNull(),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    ...versioned(),
  },
  (t) => [uniqueIndex('places_name').on(t.tenantId, sql`lower(${t.name})`)],
)
