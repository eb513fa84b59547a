import { refusable } from '@balcao/contract/contacts/consent.ts'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Routes } from '../../../kit/http.ts'
import { recordConsent } from '../../contacts/consent/consent.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import { readUnsubscribe } from './unsubscribe.ts'

const params = z.object({ token: z.string().max(300) })
/** Mail programs ask for all of their customers from the same few addresses; who guesses an address needs our signature. */
const publicly = { public: true as const, rateLimit: { max: 600, timeWindow: '1 minute' }, gives: 'text/html' }
/** A page of ours without anything that runs, for one person and for no search engine. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

/**
 * Where the link of a campaign's e-mail leads: the page only asks, so that whoever opens addresses to look at them takes
 * nobody out; the button, and the one click of a mail program (RFC 8058), do.
 */
export const unsubscribeRoutes: Routes = (app) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, undefined),
  )
  app.get(
    '/unsubscribe/:token',
    {
      config: { ...publicly, summary: 'Abrir a página de descadastro de um e-mail', errors: ['ERR_NOT_FOUND'] },
      schema: { params },
    },
    async ({ params }, reply) => {
      const found = await meantBy(params.token)
      reply.headers(headers)
      if (!found) return reply.status(404).send(gone)
      return reply.send(
        page(
          found.company,
          `<h1>Não quer mais receber?</h1>
<p>Você deixa de receber campanhas e pesquisas de <b>${found.company}</b> neste e-mail. O que for do seu atendimento continua chegando.</p>
<form method="post"><button>Não quero mais receber</button></form>`,
        ),
      )
    },
  )
  app.post(
    '/unsubscribe/:token',
    {
      config: { ...publicly, summary: 'Descadastrar-se de e-mails', errors: ['ERR_NOT_FOUND'] },
      schema: { params },
    },
    async ({ params }, reply) => {
      const found = await meantBy(params.token)
      reply.headers(headers)
      const isDone = found && (await withTenant(found.tenantId, (tx) => unsubscribe(tx, found.recipientId)))
      if (!found || !isDone) return reply.status(404).send(gone)
      return reply.send(
        page(
          found.company,
          `<h1>Pronto</h1>
<p>Você não receberá mais campanhas nem pesquisas de <b>${found.company}</b> neste e-mail.</p>`,
        ),
      )
    },
  )
}

const meantBy = async (token: string) => {
  const meant = readUnsubscribe(token)
  const directory = meant && (await findDirectory(meant.tenantId))
  return meant && directory && { ...meant, company: escaped(directory.name) }
}

type Meant = { contactId: string; email: string | null; kind: 'email'; campaignName: string }
/** False where nobody is meant by it any more. */
const unsubscribe = async (tx: Tx, recipientId: string): Promise<boolean> => {
  const [row] = await tx.rows<Meant>(meant, [tx.tenantId, recipientId])
  if (!row?.email) return false
  await tx.rows(markOptOut, [tx.tenantId, recipientId])
  await recordConsent(tx, {
    channel: row.kind,
    purposes: refusable,
    isGiven: false,
    identities: [{ kind: 'email', value: row.email }],
    source: 'word',
    proof: `Link de descadastro da campanha ${row.campaignName}`,
    author: { kind: 'contact', id: row.contactId, name: '' },
  })
  return true
}
const meant: Prepared = {
  name: 'unsubscribe_meant',
  text: `select c.id as "contactId", n.kind, k.name as "campaignName",
      coalesce((select i.value from contact_identities i where i.tenant_id = $1 and i.contact_id = c.id and i.kind = 'email'
        order by i.used_at desc nulls last limit 1), c.email) as email
    from campaign_recipients r join contacts w on w.tenant_id = $1 and w.id = r.contact_id
      join contacts c on c.tenant_id = $1 and c.id = case when w.merged_into_id is null then w.id else w.merged_into_id end
      join campaigns k on k.tenant_id = $1 and k.id = r.campaign_id
      join connections n on n.tenant_id = $1 and n.id = r.connection_id
    where r.tenant_id = $1 and r.id = $2::uuid`,
}
const markOptOut: Prepared = {
  name: 'unsubscribe_mark',
  text: `update campaign_recipients set opted_out_at = coalesce(opted_out_at, now()) where tenant_id = $1 and id = $2`,
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
const page = (title: string, body: string) => `<!doctype html>
<html lang="pt-BR"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.25rem}
button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.5rem;background:#1864ab;color:#fff;cursor:pointer}
</style>
<main>${body}</main>
</html>`
const gone = page(
  'Link antigo',
  `<h1>Este link não vale mais</h1>
<p>Abra o link do e-mail mais recente, ou responda a ele pedindo para sair.</p>`,
)
