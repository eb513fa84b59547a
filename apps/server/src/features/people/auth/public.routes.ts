import { versionAnswer } from '@balcao/contract/people/auth.ts'
import { defaultSystemColors, type TenantSettings, tenantSettings } from '@balcao/contract/people/settings.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import type { Routes } from '../../../kit/http.ts'
import { readBuild, readVersion } from '../../../kit/version.ts'

/** What every page may know before anyone has logged in. */
export const publicRoutes: Routes = (app) => {
  const answer = { version: readVersion(), build: readBuild() }
  app.get(
    '/check-version',
    { config: { public: true, summary: 'Ler a versão do servidor' }, schema: { response: { 200: versionAnswer } } },
    async () => answer,
  )

  app.get(
    '/publicSystemColors',
    {
      config: { public: true, summary: 'Ler as cores da tela de entrada' },
      schema: { response: { 200: tenantSettings.shape.systemColors } },
    },
    async () => {
      const [first] = await platformRows<{ colors: TenantSettings['systemColors'] | null }>(firstCompany, [])
      return first?.colors?.length ? first.colors : defaultSystemColors
    },
  )
}

/** The colours of an installation are those of its first company. */
const firstCompany: Prepared = {
  name: 'first_company_colors',
  text: `select settings->'systemColors' as colors from tenants where id > 0 order by id limit 1`,
}
