import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** This process among all of the installation's, in this life of it. */
export const processId = `${hostname()}:${process.pid}:${randomUUID()}`
