import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WebchatVisitor } from '@balcao/contract/intake/webchat.ts'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import classes from './contact-panel.module.css'
import { Field, None, Section } from './panel-section.tsx'

/** Where the visitor of a site's chat is, whence they came, and on what. */
export const VisitorPart = ({ ticket }: { ticket: Ticket }) => {
  const { data } = useQuery({
    // What the customer writes renews it: by then they may be on another page.
    queryKey: ['webchat', 'visitor', ticket.id, ticket.lastInboundAt],
    queryFn: ({ signal }) => api.get<WebchatVisitor>(`/tickets/${ticket.id}/visitor`, { signal, quiet: true }),
  })
  if (!data || (!data.page && !data.device)) return null
  return (
    <Section name="visita" title="Visita ao site" isOpenAtFirst>
      <dl className={classes.fields}>
        <Field label="Página">{data.page ? <Address url={data.page.url} text={data.page.title} /> : <None />}</Field>
        <Field label="Veio de">{data.referrer ? <Address url={data.referrer} /> : <None text="Acesso direto" />}</Field>
        <Field label="Aparelho">{data.device ?? <None />}</Field>
      </dl>
    </Section>
  )
}

/** Told by a stranger's browser: only an address of the web becomes a link. */
const Address = ({ url, text }: { url: string; text?: string }) => {
  const words = text?.trim() || url.replace(/^https?:\/\//, '')
  return /^https?:\/\//i.test(url) ? (
    <Anchor href={url} title={url} target="_blank" rel="noopener noreferrer nofollow">
      {words}
    </Anchor>
  ) : (
    words
  )
}
