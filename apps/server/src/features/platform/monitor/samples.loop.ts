import type { MachineSample } from '@balcao/contract/platform/monitor.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { takeSlowStatements } from '../../../db/slow-statements.ts'
import { measureMachine, nodeName } from './machine.ts'
import { readInstallation } from './platform-monitor.queries.ts'

const thisMinute = `date_trunc('minute', now())`

const keepMachine: Prepared = {
  name: 'node_sample',
  text: `insert into node_samples (at, node, machine, slowest) values (${thisMinute}, $1, $2, $3)
    on conflict (at, node) do update set machine = excluded.machine, slowest = excluded.slowest`,
}
/** The name of what all processes share. */
export const shared = ''
const isShared: Prepared = {
  name: 'node_sample_shared',
  text: `select 1 from node_samples where at = ${thisMinute} and node = '${shared}'`,
}
const keepShared: Prepared = {
  name: 'node_sample_keep_shared',
  text: `insert into node_samples (at, node, installation) values (${thisMinute}, '${shared}', $1) on conflict (at, node) do nothing`,
}

/** A row of this process, and one of what they share by whoever comes first in a minute. */
export const sampleNode = async () => {
  const machine: MachineSample = await measureMachine(true)
  await platformRows(keepMachine, [nodeName, JSON.stringify(machine), JSON.stringify(takeSlowStatements())])
  if (!(await platformRows(isShared, [])).length)
    await platformRows(keepShared, [JSON.stringify(await readInstallation())])
  return undefined
}
