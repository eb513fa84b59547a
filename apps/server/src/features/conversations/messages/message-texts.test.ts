import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { beyondAll } from '../../../kit/cursor.ts'
import { statesAfter, statesBefore } from './message-texts.ts'

const kit = await startTestApp()

test('any page of a conversation goes by the index of its places, also as planned for everybody', async () => {
  const { tenantId } = await kit.seedTenant()
  const conversation = '01a1fd9b-cd03-745b-8e33-01f1ab7f292f'
  const planOf = ({ text }: { text: string }, types: string, values: string) =>
    kit.withTenant(tenantId, async (tx) => {
      const run = (statement: string) => tx.rows<{ 'QUERY PLAN': string }>({ name: '', text: statement }, [])
      await run("select set_config('plan_cache_mode', 'force_generic_plan', true)")
      await run("select set_config('enable_seqscan', 'off', true)")
      await run("select set_config('enable_bitmapscan', 'off', true)")
      await run("select set_config('enable_sort', 'off', true)")
      await run(`prepare page_plan(${types}) as ${text}`)
      const plan = await run(`explain execute page_plan(${tenantId}, '${conversation}', ${values})`)
      await run('deallocate page_plan')
      return plan.map((row) => row['QUERY PLAN']).join('\n')
    })
  expect(await planOf(statesBefore, 'int, uuid, bigint, int, int', `${beyondAll.seq}, 41, 0`)).toMatch(
    /Scan Backward using messages_page[\s\S]*?Index Cond: .*seq < \$3/,
  )
  expect(await planOf(statesAfter, 'int, uuid, bigint, int', '7, 41')).toMatch(
    /using messages_page[\s\S]*?Index Cond: .*seq > \$3/,
  )
})
