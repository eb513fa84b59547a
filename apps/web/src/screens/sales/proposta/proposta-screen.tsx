import { itemTotal } from '@balcao/contract/sales/opportunities.ts'
import type { ProposalPage } from '@balcao/contract/sales/proposals.ts'
import { Button, TextInput } from '@mantine/core'
import { IconCircleCheckFilled, IconClockFilled, IconDownload } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useParams } from 'react-router'
import { api } from '../../../kit/api.ts'
import { urlOf } from '../../../kit/api-client.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { CompanyHead, CustomerPage, CustomerPageLoading } from '../../../kit/customer-page.tsx'
import { formatCents, formatDate, formatDateTime, formatNumber, setTimeZone } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './proposta-screen.module.css'

const proposalQuery = (token: string) =>
  queryOptions({
    queryKey: ['proposal', token],
    queryFn: ({ signal }) => api.get<ProposalPage>(`/proposal/${encodeURIComponent(token)}`, { signal, quiet: true }),
    retry: false,
  })

/** Where a customer reads a proposal and says yes: no login, only the address they were given. */
export default function PropostaScreen() {
  const { token = '' } = useParams()
  const page = useQuery(proposalQuery(token))
  return (
    <CustomerPage
      id="proposta"
      title={page.data ? `Proposta nº ${page.data.number} · ${page.data.company.name}` : 'Proposta'}
      color={page.data?.company.color}
    >
      {page.data ? (
        <Proposal token={token} page={page.data} />
      ) : page.isError ? (
        isApiError(page.error) && page.error.status === 404 ? (
          <Notice role="alert" icon={<IconClockFilled size={26} />} title="Esta proposta não está mais disponível">
            Ela venceu, foi trocada por outra, ou o endereço está incompleto. Peça uma nova a quem atendeu você.
          </Notice>
        ) : (
          <ErrorState message={messageOf(page.error)} onRetry={() => void page.refetch()} />
        )
      ) : (
        <CustomerPageLoading />
      )}
    </CustomerPage>
  )
}

const Proposal = ({ token, page }: { token: string; page: ProposalPage }) => {
  const { company, accepted } = page
  setTimeZone(company.timezone) // before any date below is drawn
  return (
    <>
      <CompanyHead {...company} />
      <section className={classes.card} aria-label="Proposta">
        <p className={classes.label}>Proposta nº {page.number}</p>
        <h1 className={classes.title}>{page.title}</h1>
        <p className={classes.label}>
          Para {page.contact}. Feita em {formatDate(page.createdAt)}.
        </p>
        {page.text && <p className={classes.text}>{page.text}</p>}
        <table className={classes.items}>
          <thead>
            <tr>
              <th scope="col">Produto</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {page.items.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
              <tr key={at}>
                <th scope="row">
                  {item.name}
                  <span className={classes.detail}>
                    {formatNumber(item.quantity)} × {formatCents(item.price)}
                    {item.discountPercent > 0 && `, desconto de ${formatNumber(item.discountPercent)}%`}
                  </span>
                </th>
                <td>{formatCents(itemTotal(item))}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>{formatCents(page.value)}</td>
            </tr>
          </tfoot>
        </table>
        <Button
          component="a"
          href={urlOf({ path: `/proposal/${encodeURIComponent(token)}/pdf` })}
          download
          rel="noreferrer"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          Baixar em PDF
        </Button>
      </section>
      {accepted ? (
        <section className={classes.card} aria-label="Aceite" aria-live="polite">
          <p className={classes.done}>
            <IconCircleCheckFilled size={22} aria-hidden />
            Proposta aceita
          </p>
          <p className={classes.text}>
            Por {accepted.name}, em {formatDateTime(accepted.at)}. {company.name} já foi avisada.
          </p>
        </section>
      ) : (
        <Accept token={token} page={page} />
      )}
      <footer className={classes.foot}>
        {accepted ? 'Guarde este endereço.' : `Esta proposta vale até ${formatDate(page.expiresAt)}.`} Quem tem o
        endereço vê o mesmo que você: não o publique.
      </footer>
    </>
  )
}

const Accept = ({ token, page }: { token: string; page: ProposalPage }) => {
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const accept = useMutation({
    mutationFn: () => api.post<ProposalPage>(`/proposal/${encodeURIComponent(token)}/accept`, { name }),
    onSuccess: (next) => cache.setQueryData(proposalQuery(token).queryKey, next),
    onError: (error) => {
      if (isApiError(error) && error.status === 404) void cache.invalidateQueries({ queryKey: ['proposal', token] })
    },
  })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate()
  }
  return (
    <section className={classes.card} aria-labelledby="accept">
      <h2 className={classes.subtitle} id="accept">
        Aceitar a proposta
      </h2>
      <form onSubmit={handleSubmit} className={classes.form}>
        <TextInput
          label="Seu nome completo"
          description="Com o aceite guardamos seu nome, a hora, o endereço IP e o navegador."
          size="md"
          required
          minLength={3}
          maxLength={120}
          autoComplete="name"
          value={name}
          error={accept.isError ? messageOf(accept.error) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={accept.isPending} disabled={name.trim().length < 3}>
          Aceitar por {formatCents(page.value)}
        </Button>
      </form>
    </section>
  )
}
