import pg from 'pg'
import type { Prepared } from './database.ts'
import { noteStatement } from './slow-statements.ts'
import { statementName } from './statement-names.ts'

/** A statement and its values. */
export type Ask = readonly [statement: Prepared, values: unknown[]]
/** What `pg` offers those who speak the protocol themselves, as its cursors do; its types know half of it. */
type Wire = {
  stream: { cork: () => void; uncork: () => void }
  parsedStatements: Record<string, string>
  parse: (statement: Prepared) => void
  bind: (values: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }) => void
  describe: (what: { type: 'P'; name: string }) => void
  execute: (portal: { portal: string }) => void
  sync: () => void
  on: (event: 'parseComplete', listener: () => void) => void
  off: (event: 'parseComplete', listener: () => void) => void
}
type Row = Record<string, unknown>
type Reading = { addFields: (fields: unknown) => void; parseRow: (fields: unknown) => Row }

const newReading = () => new pg.Result('', pg.types) as unknown as Reading // its own methods are not in its types

/** How the rows of its prepared statements are read, by connection: described once, as their columns do not change. */
const readings = new WeakMap<Wire, Map<string, Reading>>()

/**
 * Several statements in one message and one answer. Until the closing `sync` they are one transaction of the database,
 * so a setting made `local` by the first holds for the rest and is gone after them.
 */
class OneTrip {
  readonly #asks: readonly Ask[]
  readonly #results: Row[][] = []
  readonly #outcome = Promise.withResolvers<Row[][]>()
  /** Of its connection, from when it is sent. */
  #known!: Map<string, Reading>
  #reading: Reading | undefined
  #rows: Row[] = []

  constructor(asks: readonly Ask[]) {
    this.#asks = asks
  }

  get answer() {
    return this.#outcome.promise
  }

  /** For whoever records what is sent. */
  get asks() {
    return this.#asks
  }

  submit(wire: Wire) {
    const parsing: Prepared[] = []
    // Known from when it was parsed, whatever becomes of its values.
    const parsed = () => {
      const { name, text } = parsing.shift() ?? { name: '', text: '' }
      if (name) wire.parsedStatements[name] = text
    }
    const stop = () => wire.off('parseComplete', parsed)
    const known = readings.get(wire) ?? new Map<string, Reading>()
    this.#known = known
    readings.set(wire, known)
    wire.on('parseComplete', parsed)
    this.answer.then(stop, stop)
    wire.stream.cork()
    try {
      for (const [statement, values] of this.#asks) {
        const name = statementName(statement)
        const isKnown = wire.parsedStatements[name] || parsing.some((one) => one.name === name)
        if (!name || !isKnown) {
          const named = { name, text: statement.text }
          wire.parse(named)
          parsing.push(named)
        }
        wire.bind({ statement: name, values, valueMapper: asText })
        if (!known.has(name)) wire.describe({ type: 'P', name: '' })
        wire.execute({ portal: '' })
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: unknown }) {
    this.#reading = newReading()
    this.#reading.addFields(fields)
    this.#keep(this.#reading)
  }

  handleDataRow({ fields }: { fields: unknown }) {
    this.#reading ??= this.#known.get(this.#name())
    if (this.#reading) this.#rows.push(this.#reading.parseRow(fields))
  }

  handleCommandComplete() {
    if (!this.#known.has(this.#name())) this.#keep(newReading()) // one that gives no rows
    this.#results.push(this.#rows)
    this.#rows = []
    this.#reading = undefined
  }

  /** Of the statement that is being answered. */
  #name() {
    const [statement] = this.#asks[this.#results.length] ?? []
    return statement ? statementName(statement) : ''
  }

  #keep(reading: Reading) {
    const name = this.#name()
    if (name) this.#known.set(name, reading)
  }

  handleReadyForQuery() {
    this.#outcome.resolve(this.#results)
  }

  handleError(error: Error) {
    this.#outcome.reject(error)
  }
}

/** As the driver writes values of its own statements: lists as arrays of the database, what is an object as JSON. */
const asText = (value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return arrayOf(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
const arrayOf = (values: unknown[]): string => `{${values.map(asElement).join()}}`
const asElement = (value: unknown): string => {
  if (Array.isArray(value)) return arrayOf(value)
  const text = asText(value)
  if (text === null) return 'NULL'
  if (typeof text !== 'string') throw new TypeError('Bytes do not travel in lists')
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

export const inOneTrip = (client: pg.PoolClient, asks: readonly Ask[]): Promise<Row[][]> => {
  const trip = new OneTrip(asks)
  const startedAt = performance.now()
  client.query(trip as unknown as pg.Submittable) // the driver's types ask for a connection it does not describe
  const note = () => noteTrip(asks, performance.now() - startedAt)
  trip.answer.then(note, note)
  return trip.answer.catch((error) => {
    Error.captureStackTrace(error) // leads to whoever asked, not to the socket
    throw error
  })
}

/** It counts for the first that reads or writes: what went with it was as long under way. */
const noteTrip = (asks: readonly Ask[], ms: number) => {
  const [own] = asks.find(([{ name }]) => !['begin', 'commit', 'scope'].includes(name)) ?? []
  if (own) noteStatement(own, ms)
}
