import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'
import { secret } from '../../test/secret.ts'

const { ownerUrl, seedTenant } = await startTestApp()
const { closeDatabase, openDatabase, withReplica } = await import('./database.ts')
const { roleUrls } = await import('./migrate.ts')

test('reports read the replica under the same row security, and the database itself while it is away', async () => {
  const { tenantId, admin } = await seedTenant()
  await seedTenant()
  const who = () =>
    withReplica({ tenantId, userId: admin.id }, async (tx) => {
      const text = `select current_setting('application_name') as name, array(select id from tenants) as tenants`
      return (await tx.rows<{ name: string; tenants: number[] }>({ name: '', text }, []))[0]
    })
  const { appUrl, platformUrl } = roleUrls(ownerUrl, secret)
  const replica = new URL(appUrl)
  replica.searchParams.set('application_name', 'replica')
  const openWith = async () => {
    await closeDatabase()
    openDatabase({ appUrl, platformUrl, replicaUrl: replica.toString() })
  }
  await openWith()
  expect(await who()).toEqual({ name: 'replica', tenants: [tenantId] })
  const broken = withReplica({ tenantId, userId: admin.id }, () => Promise.reject(new Error('of its own')))
  await expect(broken).rejects.toThrow('of its own')
  expect((await who())?.name).toBe('replica')

  replica.port = '1'
  await openWith()
  expect(await who()).toEqual({ name: '', tenants: [tenantId] })
})
