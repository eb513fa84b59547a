import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { SiteCheck } from '@balcao/contract/intake/webchat.ts'
import { Button, List, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useCheckSite } from '../../../../features/channels/connections/api.ts'
import { messageOf, problemsOf } from '../../../../kit/api-error.ts'
import { firstSiteOf, policyOf } from './site-code.ts'
import classes from './webchat.module.css'

/** Whether a page of the site has the chat, and what keeps it from opening there. */
export const CheckSite = ({ chat }: { chat: Connection }) => {
  const [address, setAddress] = useState(() => firstSiteOf(chat.config))
  const checking = useCheckSite()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    checking.mutate({ id: chat.id, address: wholeAddress(address) })
  }
  return (
    <form className={classes.field} onSubmit={handleSubmit} noValidate>
      <div className={classes.ask}>
        <TextInput
          label="Página do site"
          type="url"
          placeholder="https://www.loja.com.br"
          value={address}
          error={checking.isError && problemOf(checking.error)}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" loading={checking.isPending} disabled={!address.trim()}>
          Verificar o site
        </Button>
      </div>
      <div role="status">{checking.data && <Findings found={checking.data} />}</div>
    </form>
  )
}

const Findings = ({ found }: { found: SiteCheck }) => (
  <List mt="sm" spacing="xs" size="sm" center={false}>
    {findingsOf(found).map(({ isFine, text }) => (
      <List.Item
        key={text}
        icon={
          isFine ? (
            <IconCircleCheck size={18} color="var(--mantine-color-green-text)" aria-label="Certo" />
          ) : (
            <IconAlertTriangle size={18} color="var(--mantine-color-yellow-text)" aria-label="Atenção" />
          )
        }
      >
        {text}
      </List.Item>
    ))}
  </List>
)

const findingsOf = ({ url, snippet, status, isAllowed, refused }: SiteCheck) => [
  { isFine: snippet === 'found', text: snippets[snippet](status, url) },
  {
    isFine: isAllowed,
    text: isAllowed
      ? 'O domínio está entre os autorizados.'
      : `${new URL(url).host} não está entre os domínios autorizados: inclua em Dados do canal.`,
  },
  ...(snippet === 'unreachable'
    ? []
    : [
        {
          isFine: refused.length === 0,
          text:
            refused.length === 0
              ? 'A política de segurança (CSP) deixa o chat carregar.'
              : `A política de segurança (CSP) bloqueia o chat em ${refused.join(' e ')}. Junte: ${policyOf(location.origin)}`,
        },
      ]),
]

const snippets: Record<SiteCheck['snippet'], (status: number | null, url: string) => string> = {
  found: (_, url) => `O código deste canal está em ${url}.`,
  missing: () =>
    'Não encontramos o código na página. Se ele entra por um gerenciador de tags, abra o site: daqui não dá para ver.',
  otherChat: () => 'A página tem o código de outro canal da sua empresa. Troque pelo código do passo 1.',
  otherCompany: () => 'A página tem o código de um chat que não é da sua empresa. Troque pelo código do passo 1.',
  unreachable: (status) =>
    status
      ? `O site respondeu com o erro ${status}. Confira o endereço.`
      : 'Não conseguimos abrir a página. Confira o endereço e se o site está no ar.',
}

/** As people type it. */
export const wholeAddress = (typed: string) => {
  const address = typed.trim()
  return /^https?:\/\//i.test(address) ? address : `https://${address}`
}

export const problemOf = (error: Error) =>
  problemsOf(error).find(({ path }) => path === 'address' || path === 'url')?.message || messageOf(error)
